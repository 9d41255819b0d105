import { inngest, on } from "@/inngest/client";
import { syncPart } from "@/lib/integrations/syncs";

/** Parts of one run; what is left then is for the next. */
const PARTS = 200;

/** Asks and tells one client's other system, part by part; one run at a time for each. */
export const syncIntegration = inngest.createFunction(
  {
    id: "sync-integration",
    triggers: [on("integration/due")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.lane" },
    throttle: { limit: 6, period: "1m", burst: 6, key: "event.data.lane" },
  },
  async ({ event, step }) => {
    const { client_id, kind, asked, confirm_deletions: confirmDeletions } = event.data;
    for (let part = 1; part <= PARTS; part += 1) {
      const { again, error } = await step.run(`part ${part}`, () =>
        syncPart(client_id, kind, { asked, confirmDeletions }),
      );
      if (again === null) return { parts: part, error };
      if (again > 0) await step.sleep(`wait ${part}`, `${again}s`);
    }
    await step.sendEvent("go on", { name: "integration/due", data: event.data });
  },
);
