import { inngest, scheduled } from "@/inngest/client";
import { purgeIdempotencyKeys } from "@/lib/http/purge-idempotency-keys";
import { purgeRuns } from "@/lib/jobs/purge-runs";
import { purgeOutbox } from "@/lib/outbox/purge-outbox";
import { purgeSubmissions } from "@/lib/reviews/purge-submissions";

/** What is removed every night, each in bounded batches. */
const purges = {
  submissions: purgeSubmissions,
  "idempotency keys": purgeIdempotencyKeys,
  outbox: purgeOutbox,
  runs: purgeRuns,
};

export const cleanUp = inngest.createFunction(
  { id: "clean-up", triggers: [...scheduled("clean-up", "30 3 * * *")] },
  async ({ step }) => {
    const removed: Record<string, number> = {};
    for (const [name, purge] of Object.entries(purges)) {
      removed[name] = 0;
      // A batch a step: a night that follows a busy month goes on where a crash left it.
      for (let batch = 1; batch <= 200; batch += 1) {
        const count = await step.run(`${name} ${batch}`, () => purge());
        removed[name] += count;
        if (count === 0) break;
      }
    }
    return removed;
  },
);
