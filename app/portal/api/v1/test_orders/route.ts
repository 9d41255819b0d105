import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { postTestOrderContract } from "@/lib/insights/setup/contract";
import { postTestOrder } from "@/lib/insights/setup/post-test-order";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(postTestOrderContract, async ({ actor, client, body }) => ({
    data: await postTestOrder(actor, client, body.email),
  })),
);
