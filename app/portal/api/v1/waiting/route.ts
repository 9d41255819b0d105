import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { pendingCountsContract } from "@/lib/moderation/queue/contract";
import { countPending } from "@/lib/moderation/queue/count-pending";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(pendingCountsContract, async ({ actor, client }) => ({ data: await countPending(actor, client) })),
);
