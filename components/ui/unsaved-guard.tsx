"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { isPlainClick } from "@/components/ui/is-plain-click";

/** Asks before unsaved changes are lost: by a link of the page, by closing or by reloading it. */
export function UnsavedGuard({ unsaved }: { unsaved: boolean }) {
  const t = useTranslations();
  const router = useRouter();
  const [leaving, setLeaving] = useState<string | null>(null);
  // If the router can't get the page's data (after an upgrade, for one), it has the browser load the page, which would ask again.
  const confirmed = useRef(false);
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => {
      if (!confirmed.current) event.preventDefault();
    };
    const ask = (event: MouseEvent) => {
      const href = leadsAway(event);
      if (href === null) return;
      // Runs before the link's own listener, which would navigate.
      event.preventDefault();
      event.stopPropagation();
      confirmed.current = false;
      setLeaving(href);
    };
    addEventListener("beforeunload", warn);
    document.addEventListener("click", ask, { capture: true });
    return () => {
      removeEventListener("beforeunload", warn);
      document.removeEventListener("click", ask, { capture: true });
    };
  }, [unsaved]);
  return (
    <Dialog
      open={leaving !== null}
      onOpenChange={() => setLeaving(null)}
      title={t("common.leaveUnsavedTitle")}
      description={t("common.leaveUnsavedHint")}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={() => setLeaving(null)}>{t("common.stayOnPage")}</Button>
        <Button
          variant="bad"
          onClick={() => {
            confirmed.current = true;
            if (leaving !== null) router.push(leaving);
            setLeaving(null);
          }}
        >
          {t("common.leavePage")}
        </Button>
      </div>
    </Dialog>
  );
}

/** The target of a click on a link of this origin in this window; null for other clicks. */
function leadsAway(event: MouseEvent): string | null {
  if (!isPlainClick(event)) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return null;
  const isSamePage = link.pathname === location.pathname && link.search === location.search;
  return isSamePage ? null : `${link.pathname}${link.search}${link.hash}`;
}
