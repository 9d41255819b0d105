import { z } from "zod";
import { notificationKinds } from "@/lib/accounts/notifications/values";
import { cursor, text, timestamp } from "@/lib/platform/http/fields";

export const Notification = z.object({
  id: z.string(),
  kind: z.enum(notificationKinds),
  params: z.record(z.string(), z.union([z.string(), z.number()])).meta({ description: "Values of its text, by kind." }),
  client_id: z.string().nullable().meta({ description: "Store that it is about; null for the whole installation." }),
  client_name: z.string().nullable(),
  path: z.string().meta({ description: "Page of the portal that it leads to." }),
  count: z.int().meta({ description: "How often it happened until it was read." }),
  created_at: timestamp,
  again_at: timestamp.meta({ description: "When it last happened." }),
  read_at: timestamp.nullable(),
});
export type Notification = z.infer<typeof Notification>;

export const NotificationQuery = z.object({
  unread: z.literal("1").optional().meta({ description: "`1`: only unread ones." }),
  after: cursor,
});

export const NotificationId = z.object({ id: text(100) });

export const ReadUpTo = z.object({
  up_to: timestamp.meta({
    description:
      "`again_at` of the newest notification that the person has seen. One that occurs again after that second is unread again.",
  }),
});

export const UnreadCount = z.object({
  count: z.int().meta({ description: "Number of unread notifications, up to 99." }),
  more: z.boolean().meta({ description: "Whether there are more." }),
});
export type UnreadCount = z.infer<typeof UnreadCount>;

export const NotificationSetting = z.object({
  kind: z.enum(notificationKinds),
  portal: z.boolean().meta({ description: "Whether the portal shows notifications of this kind." }),
  email: z.boolean().meta({
    description:
      "Whether unread ones are also sent by email, at most one email an hour. Always `true` for `webhook_disabled`.",
  }),
});
export type NotificationSetting = z.infer<typeof NotificationSetting>;

export const NotificationSettings = z.object({
  settings: z
    .array(NotificationSetting)
    .min(1)
    .max(notificationKinds.length)
    .meta({ description: "Kinds that are left out stay unchanged." }),
});
