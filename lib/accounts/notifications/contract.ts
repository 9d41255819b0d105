import { z } from "zod";
import {
  Notification,
  NotificationId,
  NotificationQuery,
  NotificationSetting,
  NotificationSettings,
  ReadUpTo,
  UnreadCount,
} from "@/lib/accounts/notifications/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { page, single } from "@/lib/platform/http/fields";

// Own data, which viewers may change too.
const own = { tag: "Portal", auth: "session", client: "all", role: "viewer", scope: "read" } as const;

export const listNotificationsContract = endpoint({
  ...own,
  id: "portal.notifications.list",
  method: "GET",
  path: "/portal/api/v1/notifications",
  summary: "List the signed-in person's notifications, newest first",
  description: "Of all their stores, without kinds that they turned off. 20 per page.",
  query: NotificationQuery,
  response: page(Notification),
});

export const countNotificationsContract = endpoint({
  ...own,
  id: "portal.notifications.count",
  method: "GET",
  path: "/portal/api/v1/notifications/count",
  summary: "Count the signed-in person's unread notifications",
  response: single(UnreadCount),
});

export const readNotificationContract = endpoint({
  ...own,
  id: "portal.notifications.read",
  method: "POST",
  path: "/portal/api/v1/notifications/{id}/read",
  summary: "Mark one of the signed-in person's notifications as read",
  params: NotificationId,
  status: 204,
});

export const readNotificationsContract = endpoint({
  ...own,
  id: "portal.notifications.read_all",
  method: "POST",
  path: "/portal/api/v1/notifications/read",
  summary: "Mark the signed-in person's notifications as read",
  body: ReadUpTo,
  status: 204,
});

export const listNotificationSettingsContract = endpoint({
  ...own,
  id: "portal.account.notifications.list",
  method: "GET",
  path: "/portal/api/v1/account/notifications",
  summary: "List which notifications the signed-in person gets",
  response: z.object({ data: z.array(NotificationSetting) }),
});

export const setNotificationSettingsContract = endpoint({
  ...own,
  id: "portal.account.notifications.set",
  method: "PUT",
  path: "/portal/api/v1/account/notifications",
  summary: "Change which notifications the signed-in person gets",
  description: "Emails are sent to the person's own address, in their language.",
  body: NotificationSettings,
  status: 204,
});
