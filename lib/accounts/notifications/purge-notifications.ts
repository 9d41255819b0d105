import { createPurge } from "@/lib/platform/db/purge";

/** Deletes old notifications, read or not. */
export const purgeNotifications = createPurge("notifications", {
  key: "id",
  timeColumn: "again_at",
  maxAge: "90 days",
});
