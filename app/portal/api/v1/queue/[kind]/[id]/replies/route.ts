import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { writeReplyContract } from "@/lib/reviews/replies/contract";
import { writeReply } from "@/lib/reviews/replies/write-reply";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(writeReplyContract, async ({ actor, client, params, body }) => ({
    data: await writeReply(actor, client, params.kind, params.id, body),
  })),
);
