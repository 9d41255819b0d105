import { inngest, onEvent } from "@/inngest/client";
import { applyRules } from "@/lib/moderation/rules/apply-rules";

const BATCH = 100;

/** Applies their client's rules to items that became pending, those of one outbox event together. */
export const moderateItems = inngest.createFunction(
  {
    id: "moderate-items",
    triggers: [onEvent("moderation/due")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.client_id" },
  },
  async ({ event, step }) => {
    const { client_id, kind, ids } = event.data;
    const total = { accepted: 0, rejected: 0, held: 0 };
    for (let at = 0; at < ids.length; at += BATCH) {
      const done = await step.run(`apply rules from ${at}`, () =>
        applyRules(client_id, kind, ids.slice(at, at + BATCH)),
      );
      for (const name of ["accepted", "rejected", "held"] as const) total[name] += done[name];
    }
    return total;
  },
);
