import type { Actor } from "@/lib/accounts/actor";
import type { Notification, UnreadCount } from "@/lib/accounts/notifications/schema";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { cutPage, decodeCursor, nextLink } from "@/lib/platform/http/cursor";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { notificationPath } from "./rules";
import { countUnread, type NotificationRow, selectNotifications } from "./sql";

const ORDER = "notifications";
const PAGE = 20;
/** The bell shows "99+". */
const MAX_COUNT = 99;

/** A page of the caller's own notifications, newest first. Throws `invalid_cursor`. */
export async function listNotifications(
  actor: Pick<Actor, "id">,
  { unread, after }: { unread?: "1" | undefined; after?: string | undefined },
  url: URL,
): Promise<{ data: Notification[]; links: { next?: string } }> {
  const cursor = after === undefined ? null : decodeCursor(after, ORDER, ["time", "text"]);
  const from = cursor ? { time: cursor.key[0] as string, id: cursor.key[1] as string } : null;
  if (from && !/^\d{1,18}$/.test(from.id)) return { data: [], links: {} };
  const rows = await selectNotifications(pool(), actor.id, {
    onlyUnread: unread === "1",
    after: from,
    limit: PAGE + 1,
  });
  const { shown, last } = cutPage(rows, PAGE);
  const key = last && [last.again_at.toISOString(), last.id];
  const next = key && nextLink(env().PUBLIC_URL, url, { order: ORDER, key, startedAt: null });
  return { data: shown.map(toNotification), links: next ? { next } : {} };
}

/** How many unread notifications the caller has. */
export async function countNotifications(actor: Pick<Actor, "id">): Promise<UnreadCount> {
  const count = await countUnread(pool(), actor.id, MAX_COUNT + 1);
  return { count: Math.min(count, MAX_COUNT), more: count > MAX_COUNT };
}

const toNotification = ({ created_at, again_at, read_at, path, ...row }: NotificationRow): Notification => ({
  ...row,
  path: notificationPath(path, row.client_id),
  created_at: toIsoSeconds(created_at),
  again_at: toIsoSeconds(again_at),
  read_at: read_at && toIsoSeconds(read_at),
});
