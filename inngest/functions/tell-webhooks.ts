import { clientsAskedFor, inngest, scheduled } from "@/inngest/client";
import { listDueWebhooks } from "@/lib/integrations/webhooks/list-due";

/** Every minute: looks for webhooks whose time to be tried again has come, each in a run of its own. */
export const tellWebhooks = inngest.createFunction(
  { id: "tell-webhooks", triggers: [...scheduled("tell-webhooks", "* * * * *")] },
  async ({ event, step }) => {
    const due = await step.run("list due webhooks", () => listDueWebhooks(clientsAskedFor(event)));
    if (due.length === 0) return { webhooks: 0 };
    await step.sendEvent(
      "tell each",
      due.map((data) => ({ name: "webhook/due", data })),
    );
    return { webhooks: due.length };
  },
);
