import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { waitingContract } from "@/lib/moderation/queue/contract";
import { countWaiting } from "@/lib/moderation/queue/count-waiting";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(waitingContract, async ({ actor, client }) => ({ data: await countWaiting(actor, client) })),
);
