import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { importLane } from "@/lib/feeds/import-lane";
import { listDueFeeds } from "@/lib/feeds/run-feed";

/** Every quarter of an hour: starts a run for each due feed. */
export const importFeeds = inngest.createFunction(
  { id: "import-feeds", triggers: [...scheduleTriggers("import-feeds", "4,19,34,49 * * * *")] },
  async ({ event, step }) => {
    const due = await step.run("list due feeds", () => listDueFeeds(requestedClientIds(event)));
    if (due.length === 0) return { feeds: 0 };
    await step.sendEvent(
      "fetch each",
      // The id contains the due time, so that a feed still running a quarter of an hour later isn't started twice.
      due.map(({ slot, ...data }) => ({
        id: `feed-due:${data.client_id}:${data.feed_id}:${slot}`,
        name: "feed/due",
        data: { ...data, lane: importLane(data.client_id) },
      })),
    );
    return { feeds: due.length };
  },
);
