import { inngest, on } from "@/inngest/client";
import { requestVerification } from "@/lib/forms/verification/request-verification";

/** An address that is asked for day after day gets no more than its share; after so many waits this item is given up. */
const MOST_WAITS = 30;

/** Asks the author of a review or question to confirm the address given, once the address may get a mail. */
export const requestVerificationOf = inngest.createFunction(
  { id: "request-verification", triggers: [on("verification/due")], retries: 8, concurrency: 5 },
  async ({ event, step }) => {
    const { client_id, kind, id } = event.data;
    for (let turn = 1; turn <= MOST_WAITS; turn += 1) {
      const asked = await step.run(`ask ${turn}`, () => requestVerification(client_id, kind, id));
      if (asked.state !== "later") return asked.state;
      await step.sleep(`wait ${turn}`, `${asked.seconds}s`);
    }
    return "given_up";
  },
);
