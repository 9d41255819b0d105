import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { editReply, removeReply } from "@/lib/reviews/replies/change-reply";
import { editReplyContract, removeReplyContract } from "@/lib/reviews/replies/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(editReplyContract, ({ actor, client, params, body }) =>
    editReply(actor, client, params.kind, params.id, params.reply, body),
  ),
  route(removeReplyContract, ({ actor, client, params }) =>
    removeReply(actor, client, params.kind, params.id, params.reply),
  ),
);
