import type { AssignableRole } from "@/lib/platform/http/contract";

/** What people are notified of, each with the lowest role at the store that is. */
export const notificationRoles = {
  feed_failed: "admin",
  integration_stopped: "admin",
  webhook_disabled: "admin",
  emails_failed: "admin",
  job_failed: "admin",
  bias_found: "admin",
  moderation_overdue: "moderator",
  import_done: "viewer",
  import_failed: "viewer",
  mention: "viewer",
} as const satisfies Record<string, AssignableRole>;

export type NotificationKind = keyof typeof notificationRoles;
export const notificationKinds = Object.keys(notificationRoles) as [NotificationKind, ...NotificationKind[]];

/** An admin always gets an email of these, so they have no setting for it. */
export const isAlwaysEmailed = (kind: NotificationKind): boolean => kind === "webhook_disabled";

/** Values of the texts. They outlive what they are about, so they contain no customers' data. */
export type NotificationParams = {
  /** the visible part of the feed's URL */
  feed_failed: { url: string };
  integration_stopped: { integration: "engagement" | "commerce" | "share" };
  /** the visible part of the webhook's URL */
  webhook_disabled: { url: string };
  emails_failed: Record<string, never>;
  job_failed: Record<string, never>;
  bias_found: Record<string, never>;
  /** for operators: how many stores have overdue items */
  moderation_overdue: { hours: number; stores?: number };
  import_done: { file: string };
  import_failed: { file: string };
  /** the name of who wrote the note */
  mention: { name: string };
};
