import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { changeReply, removeReply } from "@/lib/replies/change-reply";
import { changeReplyContract, removeReplyContract } from "@/lib/replies/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changeReplyContract, ({ actor, client, params, body }) =>
    changeReply(actor, client, params.kind, params.id, params.reply, body),
  ),
  route(removeReplyContract, ({ actor, client, params }) =>
    removeReply(actor, client, params.kind, params.id, params.reply),
  ),
);
