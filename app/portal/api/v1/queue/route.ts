import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { decideAllContract, listQueueContract } from "@/lib/moderation/queue/contract";
import { listQueue } from "@/lib/moderation/queue/list-queue";
import { decideItems } from "@/lib/reviews/decisions/decide-items";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listQueueContract, ({ actor, client, query, url }) => listQueue(actor, client, query, url)),
  route(decideAllContract, async ({ actor, client, body: { items, ...how } }) => ({
    data: await decideItems(actor, client, items, how),
  })),
);
