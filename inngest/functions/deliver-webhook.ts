import { inngest, onEvent } from "@/inngest/client";
import { deliverDueEvents } from "@/lib/integrations/webhooks/deliver-due";

/** Rounds per run; the rest is left to the next, which queues behind the store's other webhooks. */
const MAX_ROUNDS = 3;
/** Webhooks of one store delivered concurrently, so that slow receivers delay only their own store. */
const MAX_CONCURRENT_PER_STORE = 4;
/** Longer waits are left to the schedule. */
const MAX_WAIT_SECONDS = 55;

/** Delivers a webhook's due events; one run at a time per webhook. */
export const deliverWebhook = inngest.createFunction(
  {
    id: "deliver-webhook",
    triggers: [onEvent("webhook/due")],
    concurrency: [
      { limit: 1, key: "event.data.webhook_id" },
      { limit: MAX_CONCURRENT_PER_STORE, key: "event.data.client_id" },
    ],
    throttle: { limit: 120, period: "1m", burst: 30, key: "event.data.webhook_id" },
  },
  async ({ event, step }) => {
    const { client_id, webhook_id } = event.data;
    let sent = 0;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const done = await step.run(`deliver ${round}`, () => deliverDueEvents(client_id, webhook_id));
      sent += done.sent;
      if (done.nextInSeconds === null || done.nextInSeconds > MAX_WAIT_SECONDS) return { sent };
      if (done.nextInSeconds > 0) await step.sleep(`wait ${round}`, `${Math.ceil(done.nextInSeconds)}s`);
    }
    await step.sendEvent("continue", { name: "webhook/due", data: event.data });
    return { sent };
  },
);
