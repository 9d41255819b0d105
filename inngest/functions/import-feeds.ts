import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { importLane } from "@/lib/feeds/lane";
import { listDueFeeds } from "@/lib/feeds/run-feed";

/** Every quarter of an hour: has the feeds fetched whose time has come, each in a run of its own. */
export const importFeeds = inngest.createFunction(
  { id: "import-feeds", triggers: [...scheduleTriggers("import-feeds", "4,19,34,49 * * * *")] },
  async ({ event, step }) => {
    const due = await step.run("list due feeds", () => listDueFeeds(requestedClientIds(event)));
    if (due.length === 0) return { feeds: 0 };
    await step.sendEvent(
      "fetch each",
      // Named by its time: a feed that is still under way a quarter of an hour later is not begun twice.
      due.map(({ slot, ...data }) => ({
        id: `feed-due:${data.client_id}:${data.feed_id}:${slot}`,
        name: "feed/due",
        data: { ...data, lane: importLane(data.client_id) },
      })),
    );
    return { feeds: due.length };
  },
);
