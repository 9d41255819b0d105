import { inngest, onEvent, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { deliverDueRecords } from "@/lib/integrations/engagement/deliver-due";
import { listDueClients } from "@/lib/integrations/engagement/list-due";
import { queueRemovals } from "@/lib/integrations/engagement/queue-removals";
import { queueReview } from "@/lib/integrations/engagement/queue-review";

/** Rounds per run; the rest is left to the next. */
const MAX_ROUNDS = 100;

/** Queues a review for the engagement platform after any event that may make it due or withdraw it. */
export const queueReviewForEngagement = inngest.createFunction(
  { id: "queue-engagement-review", triggers: [onEvent("engagement/review")], retries: 8, concurrency: 5 },
  async ({ event, step }) =>
    step.run("queue", () => queueReview(event.data.client_id, event.data.review_id, event.data)),
);

/** Deletes erased content from the engagement platform. */
export const queueEngagementRemovals = inngest.createFunction(
  {
    id: "queue-engagement-removals",
    triggers: [onEvent("engagement/orphaned")],
    retries: 8,
    concurrency: 5,
  },
  async ({ event, step }) => step.run("queue", () => queueRemovals(event.data.client_id, event.data.remote)),
);

/** Delivers what is due to a client's engagement platform; one run at a time per client, and one queued. */
export const deliverToEngagement = inngest.createFunction(
  {
    id: "deliver-engagement",
    triggers: [onEvent("engagement/due")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.client_id" },
    debounce: { period: "1s", timeout: "5s", key: "event.data.client_id" },
    throttle: { limit: 120, period: "1m", burst: 30, key: "event.data.client_id" },
  },
  async ({ event, step }) => {
    const { client_id } = event.data;
    const total: Record<string, number> = {};
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const { counts, nextInMs, leased } = await step.run(`deliver ${round}`, () => deliverDueRecords(client_id));
      for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + (count ?? 0);
      // Deliveries due later have their own outbox event. A killed process's leased deliveries have none, so wait for
      // the lease.
      if (leased !== undefined) await step.sleep(`wait ${round}`, `${Math.ceil(leased / 1_000)}s`);
      else if (nextInMs === null || nextInMs > 0) return total;
    }
    await step.sendEvent("continue", {
      name: "engagement/due",
      data: { client_id },
    });
    return total;
  },
);

/** Every five minutes: resumes what a crash or a pause left behind. */
export const scheduleEngagement = inngest.createFunction(
  {
    id: "schedule-engagement",
    triggers: [...scheduleTriggers("schedule-engagement", "*/5 * * * *")],
  },
  async ({ event, step }) => {
    const clientIds = await step.run("list clients", () => listDueClients(requestedClientIds(event)));
    if (clientIds.length === 0) return { clients: 0 };
    await step.sendEvent(
      "deliver each",
      clientIds.map((client_id) => ({
        name: "engagement/due",
        data: { client_id },
      })),
    );
    return { clients: clientIds.length };
  },
);
