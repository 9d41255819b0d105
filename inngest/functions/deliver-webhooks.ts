import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { listDueWebhooks } from "@/lib/integrations/webhooks/list-due";

/** Every minute: starts a run for each webhook with a due retry. */
export const deliverWebhooks = inngest.createFunction(
  { id: "deliver-webhooks", triggers: [...scheduleTriggers("deliver-webhooks", "* * * * *")] },
  async ({ event, step }) => {
    const due = await step.run("list due webhooks", () => listDueWebhooks(requestedClientIds(event)));
    if (due.length === 0) return { webhooks: 0 };
    await step.sendEvent(
      "deliver each",
      due.map((data) => ({ name: "webhook/due", data })),
    );
    return { webhooks: due.length };
  },
);
