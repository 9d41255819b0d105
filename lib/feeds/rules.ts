import type { Feed } from "@/lib/feeds/schema";

// Which feeds need attention. Browser-safe: no server imports.

/** True if it was read but more rows were rejected than imported. */
export const isMostlySkipped = ({ last_read, last_rejected }: Pick<Feed, "last_read" | "last_rejected">): boolean =>
  last_read !== null && last_rejected !== null && last_rejected > last_read - last_rejected;

/** True if it is enabled and its last run imported little or nothing. */
export const needsAttention = (feed: Pick<Feed, "enabled" | "last_outcome" | "last_read" | "last_rejected">): boolean =>
  feed.enabled && (feed.last_outcome === "failed" || feed.last_outcome === "refused" || isMostlySkipped(feed));
