import { inngest, onEvent } from "@/inngest/client";
import {
  applyRulesToPending,
  firstPosition,
  type PendingPosition,
} from "@/lib/moderation/rules/apply-rules-to-pending";

/** Batches per run; a longer queue continues in the next run. */
const MAX_BATCHES = 200;

/** Applies a client's rules to its pending items after rules were enabled or changed. */
export const moderatePending = inngest.createFunction(
  {
    id: "moderate-pending",
    triggers: [onEvent("moderation/changed")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.client_id" },
  },
  async ({ event, step }) => {
    const { client_id, after } = event.data;
    const total = { accepted: 0, rejected: 0, held: 0 };
    let cursor: PendingPosition | null = after ?? firstPosition;
    for (let batch = 1; cursor && batch <= MAX_BATCHES; batch += 1) {
      const from: PendingPosition = cursor;
      const done = await step.run(`apply rules ${batch}`, () => applyRulesToPending(client_id, from));
      for (const name of ["accepted", "rejected", "held"] as const) total[name] += done[name];
      cursor = done.next;
    }
    if (cursor) await step.sendEvent("continue", { name: "moderation/changed", data: { client_id, after: cursor } });
    return total;
  },
);
