"use client";

import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslations } from "#messages";
import { unreadCountOptions } from "@/components/portal/notifications/queries";
import { buttonClass } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import type { PopoverState } from "@/components/ui/popover";
import { formatCount } from "@/lib/platform/i18n/format";

const NotificationMenu = lazyDialog<PopoverState>(
  async () => (await import("./notification-menu")).NotificationMenu,
  ({ open, onOpenChange }) => ({ open, close: () => onOpenChange(false) }),
);

/** The person's unread notifications, and a menu of the newest. */
export function NotificationBell() {
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Without a number if counting fails: the list reports errors.
  const { data } = useQuery(unreadCountOptions);
  const count = data && data.count > 0 ? formatCount(data.count, t.language, data.more) : null;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={count === null ? t("common.notifications") : t("notifications.unreadCount", { count })}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={buttonClass({ variant: "quiet", size: "icon" })}
      >
        <span className="relative">
          <Bell aria-hidden="true" className="size-5" />
          {count !== null && (
            <span
              aria-hidden="true"
              className="figures absolute -top-2 left-2.5 min-w-4 rounded-full bg-accent px-1 text-center text-[0.6875rem] leading-4 font-semibold text-on-solid"
            >
              {count}
            </span>
          )}
        </span>
      </button>
      <NotificationMenu open={open} onOpenChange={setOpen} button={button} />
    </>
  );
}
