import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { listDueWebhooks } from "@/lib/integrations/webhooks/list-due";

/** Every minute: looks for webhooks whose time to be tried again has come, each in a run of its own. */
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
