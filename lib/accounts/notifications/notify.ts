import type { NotificationKind, NotificationParams } from "@/lib/accounts/notifications/values";
import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import type { Role } from "@/lib/platform/http/contract";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { type Fact, insertNotifications } from "./sql";

type About<Kind extends NotificationKind> = {
  /** null: about the whole installation, for operators */
  clientId: string | null;
  /** everyone with at least this role at the store, or the operators; or these people, if they have access to it */
  to: { role: Role } | { userIds: readonly string[] };
  kind: Kind;
  params: NotificationParams[Kind];
  /** the portal's page that it leads to, without `client_id` */
  path: string;
  /** what it is about, unique in the store: if it happens again before it is read, the same notification counts it */
  dedupeKey: string;
  /** it hasn't worked since the last time: counted if that is unread, but no new notification */
  isRepeat?: boolean;
  /** a person isn't notified of the same thing again for so long, even if they have read it */
  quietHours?: number;
};
/** What people are to be notified of. */
export type NewNotification = { [Kind in NotificationKind]: About<Kind> }[NotificationKind];

/**
 * Notifies everyone concerned who didn't turn the kind off, in the caller's transaction: of several facts at once in one
 * statement. People without access to the store, or whose role there is too low for the kind, are left out.
 */
export async function notify(db: Db, ...notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const facts = notifications.map(
    ({ clientId, to, kind, params, path, dedupeKey, isRepeat = false, quietHours = 0 }): Fact => ({
      client_id: clientId,
      role: "role" in to ? to.role : null,
      user_ids: "userIds" in to ? to.userIds : [],
      kind,
      params,
      path,
      dedupe_key: dedupeKey,
      is_repeat: isRepeat,
      quiet_hours: quietHours,
    }),
  );
  const due = await insertNotifications(db, facts, now());
  await enqueue(
    db,
    due.map((user_id) => ({ name: "notification/due", data: { user_id } })),
  );
}
