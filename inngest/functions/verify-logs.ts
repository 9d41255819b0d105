import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { listLogs, verifyOwnLog } from "@/lib/honesty/verify-own-log";

/** Every night: verifies the stores' logs. One that doesn't fit fails the run, of which operators are notified. */
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
    errors.throwIfAny();
    return { stores: stores.length };
  },
);
