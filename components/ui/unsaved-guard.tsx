"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { isPlainClick } from "@/components/ui/is-plain-click";

const NAVIGATE = "candor:navigate";

/** Navigates from code as a link does: a form with unsaved changes asks first. */
export function useNavigate(): (href: string) => void {
  const router = useRouter();
  return (href) => {
    if (document.dispatchEvent(new CustomEvent(NAVIGATE, { detail: href, cancelable: true }))) router.push(href);
  };
}

/** Asks before unsaved changes are lost: by a link of the page, by {@link useNavigate}, by closing or by reloading it. */
export function UnsavedGuard({ unsaved }: { unsaved: boolean }) {
  const t = useTranslations();
  const router = useRouter();
  const [leaving, setLeaving] = useState<string | null>(null);
  // If the router can't get the page's data (after an upgrade, for one), it has the browser load the page, which would ask again.
  const confirmed = useRef(false);
  useEffect(() => {
    if (!unsaved) return;
    confirmed.current = false;
    const warn = (event: BeforeUnloadEvent) => {
      if (!confirmed.current) event.preventDefault();
    };
    // If the page wasn't left after all, what happens from now on wasn't agreed to be lost.
    const forget = () => {
      confirmed.current = false;
    };
    const ask = (event: Event, href: string) => {
      forget();
      // Runs before the link's own listener, which would navigate.
      event.preventDefault();
      event.stopImmediatePropagation();
      setLeaving(href);
    };
    const onClick = (event: MouseEvent) => {
      forget();
      const href = leadsAway(event);
      if (href !== null) ask(event, href);
    };
    const onNavigate = (event: Event) => {
      const href = (event as CustomEvent<string>).detail;
      if (isOtherPage(new URL(href, location.href))) ask(event, href);
    };
    addEventListener("beforeunload", warn);
    document.addEventListener("click", onClick, { capture: true });
    document.addEventListener(NAVIGATE, onNavigate);
    document.addEventListener("input", forget, { capture: true });
    return () => {
      removeEventListener("beforeunload", warn);
      document.removeEventListener("click", onClick, { capture: true });
      document.removeEventListener(NAVIGATE, onNavigate);
      document.removeEventListener("input", forget, { capture: true });
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
  return isOtherPage(link) ? `${link.pathname}${link.search}${link.hash}` : null;
}

const isOtherPage = ({ pathname, search }: Pick<URL, "pathname" | "search">): boolean =>
  pathname !== location.pathname || search !== location.search;
