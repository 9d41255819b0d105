import { inngest, onEvent } from "@/inngest/client";
import { requestVerification } from "@/lib/forms/verification/request-verification";

/** The number of emails per address is limited; after this many waits this item is dropped. */
const MAX_WAITS = 30;

/** Asks the author of a review or question to verify their email address, once the address may get an email. */
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
