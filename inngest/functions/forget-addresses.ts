import { inngest, scheduleTriggers } from "@/inngest/client";
import { forgetAddresses } from "@/lib/reviews/votes/forget-addresses";

/** Limit per run; the rest is left to the next one. */
const MAX_BATCHES = 200;

/** Every hour: forgets from which address votes and reports older than a day came. */
export const forgetAddressesOfFeedback = inngest.createFunction(
  { id: "forget-addresses", triggers: [...scheduleTriggers("forget-addresses", "20 * * * *")], concurrency: 1 },
  async ({ step }) => {
    let forgotten = 0;
    for (let batch = 1, count = 1; count > 0 && batch <= MAX_BATCHES; batch += 1) {
      count = await step.run(`addresses ${batch}`, () => forgetAddresses());
      forgotten += count;
    }
    return { forgotten };
  },
);
