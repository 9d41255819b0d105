import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { lookContract } from "@/lib/queue/contract";
import { look } from "@/lib/queue/look";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(lookContract, async ({ actor, client, params }) => ({
    data: await look(actor, client, params.kind, params.id),
  })),
);
