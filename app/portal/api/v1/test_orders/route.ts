import { postTestOrderContract } from "@/lib/home/contract";
import { postTestOrder } from "@/lib/home/post-test-order";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(postTestOrderContract, async ({ actor, client, body }) => ({
    data: await postTestOrder(actor, client, body.email),
  })),
);
