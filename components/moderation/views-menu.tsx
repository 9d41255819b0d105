"use client";

import { ChevronDown, Layers } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { lazyEntries, Menu } from "@/components/ui/menu";

/** A filter with a name: built-in, or the person's own. */
export type View = {
  id: string;
  name: string;
  own: boolean;
  href: string;
  isCurrent: boolean;
  /** its number of items */
  count?: string;
  /** shows it without following the link */
  onSelect?: () => void;
  /** saves it again after it was removed */
  restore: () => Promise<unknown>;
};

/** The open dialog about views. */
export type ViewDialog = "save" | "remove" | null;

export type SavedViewsProps = {
  views: View[];
  /** saves the current filter */
  save: (name: string) => Promise<unknown>;
  remove: (view: View) => Promise<unknown>;
  /** called after every save or deletion, successful or not */
  refresh: () => unknown;
};

type Props = SavedViewsProps & {
  /** shown below the built-in views */
  note?: ReactNode;
  onOpen?: () => void;
  /** of the button */
  className?: string;
};

const ViewEntries = lazyEntries(async () => (await import("@/components/moderation/views-menu-parts")).ViewEntries);
const ViewDialogs = lazyDialog(
  async () => (await import("@/components/moderation/views-menu-parts")).ViewDialogs,
  ({ dialog, onClose }) => ({ open: dialog !== null, close: onClose }),
);

/** A menu of views, and dialogs to save the current filter as one and to remove own ones. */
export function ViewsMenu({ note, onOpen, className, ...saved }: Props) {
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<ViewDialog>(null);
  return (
    <>
      <Menu
        label={t("queue.views")}
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          if (next) onOpen?.();
        }}
        trigger={
          <Button variant="quiet" size="small" className={className}>
            <Layers aria-hidden="true" className="size-4 shrink-0" />
            <span className="truncate">
              {saved.views.find(({ own, isCurrent }) => own && isCurrent)?.name ?? t("queue.views")}
            </span>
            <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
          </Button>
        }
      >
        <ViewEntries views={saved.views} note={note} onClose={() => setOpen(false)} onDialog={setDialog} />
      </Menu>
      <ViewDialogs {...saved} dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}
