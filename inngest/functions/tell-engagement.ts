import { clientsAskedFor, inngest, on, scheduled } from "@/inngest/client";
import { deliverDue } from "@/lib/engagement/deliver-due";
import { listDueClients } from "@/lib/engagement/list-due";
import { noteReview } from "@/lib/engagement/note-review";
import { noteOrphans } from "@/lib/engagement/orphans";

/** Turns of one run; what is due after them is for the next. */
const TURNS = 100;

/** Notes a review for the engagement platform, whenever something happens to it that may make it due, or take it away. */
export const noteReviewForEngagement = inngest.createFunction(
  { id: "note-review-for-engagement", triggers: [on("engagement/review")], retries: 8, concurrency: 5 },
  async ({ event, step }) => step.run("note", () => noteReview(event.data.client_id, event.data.review_id, event.data)),
);

/** What was erased here leaves the engagement platform. */
export const noteOrphansInEngagement = inngest.createFunction(
  {
    id: "note-orphans-in-engagement",
    triggers: [on("engagement/orphaned")],
    retries: 8,
    concurrency: 5,
  },
  async ({ event, step }) => step.run("note", () => noteOrphans(event.data.client_id, event.data.remote)),
);

/** Tells a client's engagement platform what is due; one run at a time for each, and one that waits. */
export const tellEngagement = inngest.createFunction(
  {
    id: "tell-engagement",
    triggers: [on("engagement/due")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.client_id" },
    debounce: { period: "1s", timeout: "5s", key: "event.data.client_id" },
    throttle: { limit: 120, period: "1m", burst: 30, key: "event.data.client_id" },
  },
  async ({ event, step }) => {
    const { client_id } = event.data;
    const total: Record<string, number> = {};
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const { counts, wait, leased } = await step.run(`tell ${turn}`, () => deliverDue(client_id));
      for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + (count ?? 0);
      // What waits longer has a fact of its own that comes when it is due. What a killed process had in its hands has none.
      if (leased !== undefined) await step.sleep(`wait ${turn}`, `${Math.ceil(leased / 1_000)}s`);
      else if (wait === null || wait > 0) return total;
    }
    await step.sendEvent("go on", {
      name: "engagement/due",
      data: { client_id },
    });
    return total;
  },
);

/** Every five minutes: takes up what a crash or a pause left behind. */
export const tellEngagements = inngest.createFunction(
  {
    id: "tell-engagements",
    triggers: [...scheduled("tell-engagements", "*/5 * * * *")],
  },
  async ({ event, step }) => {
    const clientIds = await step.run("list clients", () => listDueClients(clientsAskedFor(event)));
    if (clientIds.length === 0) return { clients: 0 };
    await step.sendEvent(
      "tell each",
      clientIds.map((client_id) => ({
        name: "engagement/due",
        data: { client_id },
      })),
    );
    return { clients: clientIds.length };
  },
);
