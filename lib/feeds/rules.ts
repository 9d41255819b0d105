import type { Feed } from "@/lib/feeds/schema";

// Which feeds somebody should look at. Browser-safe, and without what reads requests.

/** Whether it was read, but more of its rows were left out than taken. */
export const isMostlySkipped = ({ last_read, last_rejected }: Pick<Feed, "last_read" | "last_rejected">): boolean =>
  last_read !== null && last_rejected !== null && last_rejected > last_read - last_rejected;

/** Whether it is to be fetched, and the last time brought little or nothing. */
export const needsAttention = (feed: Pick<Feed, "enabled" | "last_outcome" | "last_read" | "last_rejected">): boolean =>
  feed.enabled && (feed.last_outcome === "failed" || feed.last_outcome === "refused" || isMostlySkipped(feed));
