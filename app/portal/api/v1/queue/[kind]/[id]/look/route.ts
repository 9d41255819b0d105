import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { lookContract } from "@/lib/moderation/queue/contract";
import { look } from "@/lib/moderation/queue/look";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(lookContract, async ({ actor, client, params }) => ({
    data: await look(actor, client, params.kind, params.id),
  })),
);
