import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { findOverdueEntries, listLogs, verifyOwnLog } from "@/lib/honesty/verify-own-log";

/**
 * Every night: verifies the stores' logs, and that they have what was decided. One that doesn't fit, or entries that are
 * overdue, fail the run, of which operators are notified.
 */
export const verifyLogs = inngest.createFunction(
  { id: "verify-logs", triggers: [...scheduleTriggers("verify-logs", "50 2 * * *")], concurrency: 1 },
  async ({ event, step }) => {
    const stores = await step.run("list stores", () => listLogs(requestedClientIds(event)));
    const errors = collectErrors();
    for (const clientId of stores) {
      const result = await errors.attempt(clientId, () =>
        step.run(clientId, async () => ({ problem: (await verifyOwnLog(clientId)).problem })),
      );
      if (result?.problem) errors.note(clientId, result.problem);
    }
    const overdue = await errors.attempt("all stores", () => step.run("find overdue entries", findOverdueEntries));
    if (overdue) errors.note("all stores", overdue);
    errors.throwIfAny();
    return { stores: stores.length };
  },
);
