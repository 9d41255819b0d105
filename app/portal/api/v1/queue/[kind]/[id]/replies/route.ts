import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { writeReplyContract } from "@/lib/replies/contract";
import { writeReply } from "@/lib/replies/write-reply";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(writeReplyContract, async ({ actor, client, params, body }) => ({
    data: await writeReply(actor, client, params.kind, params.id, body),
  })),
);
