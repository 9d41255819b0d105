"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import clsx from "clsx";
import { useTranslations } from "#messages";
import { readOptions } from "@/components/portal/notifications/queries";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import { notificationText } from "@/lib/accounts/notifications/rules";
import type { Notification } from "@/lib/accounts/notifications/schema";

type Props = { notification: Notification; timeZone: string; onOpen?: () => void };

/** A notification as a link to its page, which marks it as read. */
export function NotificationEntry({ notification, timeZone, onOpen }: Props) {
  const t = useTranslations();
  const read = useMutation(readOptions(useQueryClient()));
  const { id, path, client_name, count, again_at, read_at } = notification;
  const isUnread = read_at === null;
  return (
    <Link
      href={path}
      onClick={() => {
        if (isUnread && !read.isPending) read.mutate(id);
        onOpen?.();
      }}
      className="flex gap-2.5 rounded-[0.375rem] px-2.5 py-2 text-sm hover:bg-sunken"
    >
      <span
        aria-hidden="true"
        className={clsx("mt-1.5 size-2 shrink-0 rounded-full", isUnread ? "bg-accent" : "bg-transparent")}
      />
      <span className="min-w-0 flex-1">
        <span className={clsx("block [overflow-wrap:anywhere]", isUnread && "font-medium")}>
          {isUnread && <span className="sr-only">{t("notifications.unreadLabel")} </span>}
          {notificationText(notification, t)}
        </span>
        <span className="flex flex-wrap gap-x-2 text-xs text-muted">
          {client_name !== null && <span className="[overflow-wrap:anywhere]">{client_name}</span>}
          <span>{t.rich("common.timeAgo", { age: <Ago at={again_at} timeZone={timeZone} within /> })}</span>
          {count > 1 && <span>{t("notifications.times", { n: count })}</span>}
        </span>
      </span>
    </Link>
  );
}
