import { inngest, onEvent } from "@/inngest/client";
import { requestVerification } from "@/lib/forms/verification/request-verification";

/** An address that is asked for day after day gets no more than its share; after so many waits this item is given up. */
const MAX_WAITS = 30;

/** Asks the author of a review or question to confirm the address given, once the address may get a mail. */
export const sendVerificationRequest = inngest.createFunction(
  { id: "request-verification", triggers: [onEvent("verification/due")], retries: 8, concurrency: 5 },
  async ({ event, step }) => {
    const { client_id, kind, id } = event.data;
    for (let attempt = 1; attempt <= MAX_WAITS; attempt += 1) {
      const result = await step.run(`request ${attempt}`, () => requestVerification(client_id, kind, id));
      if (result.state !== "later") return result.state;
      await step.sleep(`wait ${attempt}`, `${result.seconds}s`);
    }
    return "failed";
  },
);
