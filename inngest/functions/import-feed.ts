import { inngest, onEvent } from "@/inngest/client";
import { runFeed } from "@/lib/feeds/run-feed";

/** Fetches and imports one feed; few concurrently, and those of one client in sequence. */
export const importFeed = inngest.createFunction(
  {
    id: "import-feed",
    triggers: [onEvent("feed/due")],
    concurrency: { limit: 1, key: "event.data.lane" },
    throttle: { limit: 6, period: "1m", burst: 6, key: "event.data.feed_id" },
  },
  async ({ event, step }) => {
    const { client_id, feed_id, asked, confirm_deletions: confirmDeletions } = event.data;
    return step.run("fetch and import", () => runFeed(client_id, feed_id, { requested: asked, confirmDeletions }));
  },
);
