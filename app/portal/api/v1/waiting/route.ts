import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { waitingContract } from "@/lib/queue/contract";
import { countWaiting } from "@/lib/queue/count-waiting";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(waitingContract, async ({ actor, client }) => ({ data: await countWaiting(actor, client) })),
);
