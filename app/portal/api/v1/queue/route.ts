import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { decideItems } from "@/lib/moderation/decide-items";
import { decideAllContract, listQueueContract } from "@/lib/queue/contract";
import { listQueue } from "@/lib/queue/list-queue";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listQueueContract, ({ actor, client, query, url }) => listQueue(actor, client, query, url)),
  route(decideAllContract, async ({ actor, client, body: { items, ...how } }) => ({
    data: await decideItems(actor, client, items, how),
  })),
);
