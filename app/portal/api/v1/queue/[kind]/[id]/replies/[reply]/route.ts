import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { changeReply, removeReply } from "@/lib/reviews/replies/change-reply";
import { changeReplyContract, removeReplyContract } from "@/lib/reviews/replies/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changeReplyContract, ({ actor, client, params, body }) =>
    changeReply(actor, client, params.kind, params.id, params.reply, body),
  ),
  route(removeReplyContract, ({ actor, client, params }) =>
    removeReply(actor, client, params.kind, params.id, params.reply),
  ),
);
