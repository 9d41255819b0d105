"use client";

import { Search as SearchIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslations } from "#messages";
import type { SearchDialogProps } from "@/components/portal/search-dialog";
import { buttonClass } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { lazyDialog, openOverlay } from "@/components/ui/lazy-dialog";
import { useIsMac } from "@/components/ui/use-is-mac";

const SearchDialog = lazyDialog<SearchDialogProps>(
  async () => (await import("./search-dialog")).SearchDialog,
  ({ open, onOpenChange }) => ({ open, close: () => onOpenChange(false) }),
);

/** The search of everything, opened by its button or by ⌘K or Ctrl+K on any page. */
export function Search({
  compact = false,
  ...props
}: Omit<SearchDialogProps, "open" | "onOpenChange"> & { compact?: boolean }) {
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  const isMac = useIsMac();
  return (
    <>
      {compact ? (
        <button
          type="button"
          aria-label={t("common.search")}
          onClick={() => setOpen(true)}
          className={buttonClass({ variant: "quiet", size: "icon" })}
        >
          <SearchIcon aria-hidden="true" className="size-5" />
        </button>
      ) : (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="flex h-10 min-w-0 flex-1 items-center gap-2 rounded-control border border-line bg-raised px-2.5 text-left text-sm text-muted shadow-raised hover:bg-sunken hover:text-ink"
        >
          <SearchIcon aria-hidden="true" className="size-4 shrink-0" />
          <span className="min-w-0 flex-1 truncate">{t("common.search")}</span>
          <Kbd>{isMac ? "⌘K" : t("common.ctrlKey", { key: "K" })}</Kbd>
        </button>
      )}
      <SearchDialog {...props} open={open} onOpenChange={setOpen} />
      {!compact && <SearchKey isMac={isMac} onPress={() => setOpen(true)} />}
    </>
  );
}

function SearchKey({ isMac, onPress }: { isMac: boolean; onPress: () => void }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // On a Mac, Ctrl+K edits text.
      const isCommand = isMac ? event.metaKey : event.ctrlKey;
      if (event.key.toLowerCase() !== "k" || !isCommand || event.altKey || event.shiftKey) return;
      event.preventDefault(); // the browser's own search
      if (!document.querySelector(openOverlay)) onPress();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [isMac, onPress]);
  return null;
}
