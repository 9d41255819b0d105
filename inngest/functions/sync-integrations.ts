import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { listDueSyncs } from "@/lib/integrations/list-due-syncs";

/** Every quarter of an hour: starts a run for each connected integration. */
export const syncIntegrations = inngest.createFunction(
  { id: "sync-integrations", triggers: [...scheduleTriggers("sync-integrations", "7,22,37,52 * * * *")] },
  async ({ event, step }) => {
    const due = await step.run("list due syncs", () => listDueSyncs(requestedClientIds(event)));
    if (due.length === 0) return { integrations: 0 };
    await step.sendEvent(
      "sync each",
      due.map((data) => ({ name: "integration/due", data: { ...data, asked: requestedClientIds(event) !== null } })),
    );
    return { integrations: due.length };
  },
);
