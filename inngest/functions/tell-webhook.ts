import { inngest, on } from "@/inngest/client";
import { deliverDue } from "@/lib/integrations/webhooks/deliver-due";

/** Turns of one run; what is due after them is for the next, which queues behind the store's other webhooks. */
const TURNS = 3;
/** Webhooks of one store that are told at once, so that slow receivers cost their own store only. */
const SHARE = 4;
/** Longer waits are left to the schedule. */
const LONGEST_WAIT = 55;

/** Tells one webhook what is due; one run at a time for each. */
export const tellWebhook = inngest.createFunction(
  {
    id: "tell-webhook",
    triggers: [on("webhook/due")],
    concurrency: [
      { limit: 1, key: "event.data.webhook_id" },
      { limit: SHARE, key: "event.data.client_id" },
    ],
    throttle: { limit: 120, period: "1m", burst: 30, key: "event.data.webhook_id" },
  },
  async ({ event, step }) => {
    const { client_id, webhook_id } = event.data;
    let sent = 0;
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const done = await step.run(`tell ${turn}`, () => deliverDue(client_id, webhook_id));
      sent += done.sent;
      if (done.wait === null || done.wait > LONGEST_WAIT) return { sent };
      if (done.wait > 0) await step.sleep(`wait ${turn}`, `${Math.ceil(done.wait)}s`);
    }
    await step.sendEvent("go on", { name: "webhook/due", data: event.data });
    return { sent };
  },
);
