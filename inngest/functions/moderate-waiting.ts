import { inngest, on } from "@/inngest/client";
import { applyRulesToPending, firstPlace, type Place } from "@/lib/moderation/rules/apply-rules-to-pending";

/** What one run looks at; a longer queue goes on in the next run. */
const BATCHES = 200;

/** Judges what waits at a client whose rules were switched on or changed. */
export const moderateWaiting = inngest.createFunction(
  {
    id: "moderate-waiting",
    triggers: [on("moderation/changed")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.client_id" },
  },
  async ({ event, step }) => {
    const { client_id, after } = event.data;
    const total = { accepted: 0, rejected: 0, held: 0 };
    let place: Place | null = after ?? firstPlace;
    for (let batch = 1; place && batch <= BATCHES; batch += 1) {
      const from: Place = place;
      const done = await step.run(`judge ${batch}`, () => applyRulesToPending(client_id, from));
      for (const name of ["accepted", "rejected", "held"] as const) total[name] += done[name];
      place = done.next;
    }
    if (place) await step.sendEvent("go on", { name: "moderation/changed", data: { client_id, after: place } });
    return total;
  },
);
