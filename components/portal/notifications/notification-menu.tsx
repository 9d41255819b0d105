"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Settings } from "lucide-react";
import { useId } from "react";
import { useTranslations } from "#messages";
import { NotificationEntry } from "@/components/portal/notifications/notification-entry";
import { newestOptions, readAllOptions } from "@/components/portal/notifications/queries";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Popover, type PopoverState } from "@/components/ui/popover";
import { Skeleton } from "@/components/ui/skeleton";
import { messageOf } from "@/lib/platform/http/client";

/** The newest notifications. Loaded by {@link import("./notification-bell").NotificationBell}. */
export function NotificationMenu({ open, onOpenChange, button }: PopoverState) {
  const title = useId();
  return (
    <Popover
      open={open}
      onOpenChange={onOpenChange}
      button={button}
      name={{ "aria-labelledby": title }}
      className="w-96"
    >
      <Newest title={title} onClose={() => onOpenChange(false)} />
    </Popover>
  );
}

function Newest({ title, onClose }: { title: string; onClose: () => void }) {
  const t = useTranslations();
  const { data, error, isPending, refetch } = useQuery(newestOptions);
  const readAll = useMutation(readAllOptions(useQueryClient()));
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const newest = data?.[0];
  const failure = error ?? readAll.error;
  return (
    <>
      <div className="flex min-h-10 items-center justify-between gap-2 pl-2.5">
        <h2 id={title} className="text-sm font-semibold">
          {t("common.notifications")}
        </h2>
        {newest && data?.some(({ read_at }) => read_at === null) && (
          <Button
            variant="quiet"
            size="small"
            aria-disabled={readAll.isPending}
            onClick={() => !readAll.isPending && readAll.mutate(newest)}
          >
            {t("notifications.markAllRead")}
          </Button>
        )}
      </div>
      <div role="status" className="empty:hidden">
        {isPending && <span className="sr-only">{t("common.loading")}</span>}
        {failure && (
          <div className="p-1.5">
            <Notice tone="bad">
              <span className="mr-3">{messageOf(failure, t)}</span>
              {error && <Button onClick={() => refetch()}>{t("common.tryAgain")}</Button>}
            </Notice>
          </div>
        )}
        {data?.length === 0 && (
          <p className="px-2.5 py-6 text-center text-sm text-muted">{t("notifications.emptyTitle")}</p>
        )}
      </div>
      {isPending && (
        <div className="flex flex-col gap-2 p-2.5">
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      )}
      {data && data.length > 0 && (
        <ul className="max-h-96 min-h-0 overflow-y-auto">
          {data.map((notification) => (
            <li key={notification.id}>
              <NotificationEntry notification={notification} timeZone={timeZone} onOpen={onClose} />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-1 flex items-center justify-between gap-2 border-t border-line pt-1">
        <Link
          href="/portal/notifications"
          onClick={onClose}
          className={buttonClass({ variant: "quiet", size: "small" })}
        >
          {t("notifications.viewAll")}
        </Link>
        <Link
          href="/portal/account#notifications"
          onClick={onClose}
          aria-label={t("notifications.settings")}
          title={t("notifications.settings")}
          className={buttonClass({ variant: "quiet", size: "icon" })}
        >
          <Settings aria-hidden="true" className="size-4" />
        </Link>
      </div>
    </>
  );
}
