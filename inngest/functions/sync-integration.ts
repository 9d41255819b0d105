import { inngest, onEvent } from "@/inngest/client";
import { syncPart } from "@/lib/integrations/sync-part";

/** Parts per run; the rest is left to the next. */
const MAX_PARTS = 200;

/** Syncs one client's integration in both directions, part by part; one run at a time per integration. */
export const syncIntegration = inngest.createFunction(
  {
    id: "sync-integration",
    triggers: [onEvent("integration/due")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.lane" },
    throttle: { limit: 6, period: "1m", burst: 6, key: "event.data.lane" },
  },
  async ({ event, step }) => {
    const { client_id, kind, asked, confirm_deletions: confirmDeletions } = event.data;
    for (let part = 1; part <= MAX_PARTS; part += 1) {
      const { nextInSeconds, error } = await step.run(`sync ${part}`, () =>
        syncPart(client_id, kind, { requested: asked, confirmDeletions }),
      );
      if (nextInSeconds === null) return { parts: part, error };
      if (nextInSeconds > 0) await step.sleep(`wait ${part}`, `${nextInSeconds}s`);
    }
    await step.sendEvent("continue", { name: "integration/due", data: event.data });
  },
);
