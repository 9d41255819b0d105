"use client";

import { BookmarkPlus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import type { SavedViewsProps, View, ViewDialog } from "@/components/moderation/views-menu";
import { Dialog } from "@/components/ui/dialog";
import { isPlainClick } from "@/components/ui/is-plain-click";
import { Link } from "@/components/ui/link";
import { MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { SavedList, SaveForm } from "@/components/ui/saved-list";
import { messageOf } from "@/lib/platform/http/client";

type EntriesProps = {
  views: View[];
  /** shown below the built-in views */
  note: ReactNode;
  onClose: () => void;
  onDialog: (dialog: ViewDialog) => void;
};

/** The menu's entries: built-in views, own views, and actions for these. */
export function ViewEntries({ views, note, onClose, onDialog }: EntriesProps) {
  const t = useTranslations();
  const own = views.filter((view) => view.own);
  const entry = ({ id, name, href, isCurrent, count, onSelect }: View) => (
    <MenuItem key={id}>
      <Link
        href={href}
        aria-current={isCurrent ? "true" : undefined}
        className="aria-[current=true]:font-medium"
        onClick={(event) => {
          if (!onSelect || !isPlainClick(event)) return;
          event.preventDefault();
          onClose();
          onSelect();
        }}
      >
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {count && <span className="figures text-xs text-muted">{count}</span>}
      </Link>
    </MenuItem>
  );
  return (
    <>
      <MenuLabel>{t("queue.defaultViews")}</MenuLabel>
      {views.filter((view) => !view.own).map(entry)}
      {note}
      <MenuSeparator />
      <MenuLabel>{t("queue.yourViews")}</MenuLabel>
      {own.map(entry)}
      {own.length === 0 && <p className="px-2.5 pb-2 text-sm text-muted">{t("queue.noViewsHint")}</p>}
      <MenuSeparator />
      <MenuItem onSelect={() => onDialog("save")}>
        <button type="button">
          <BookmarkPlus aria-hidden="true" className="size-4 text-muted" />
          {t("queue.saveViewMenu")}
        </button>
      </MenuItem>
      {own.length > 0 && (
        <MenuItem onSelect={() => onDialog("remove")}>
          <button type="button">
            <Trash2 aria-hidden="true" className="size-4 text-muted" />
            {t("queue.removeViewsMenu")}
          </button>
        </MenuItem>
      )}
    </>
  );
}

type DialogsProps = SavedViewsProps & { dialog: ViewDialog; onClose: () => void };

/** Saves the current filter under a name, and deletes saved views. */
export function ViewDialogs({ views, save, remove, refresh, dialog, onClose }: DialogsProps) {
  const t = useTranslations();
  const own = views.filter((view) => view.own);
  const dialogProps = { what: "view", refresh, errorMessage: (error: unknown) => messageOf(error, t) };
  // One dialog each: while a dialog closes it keeps its content, and a click can't hit the wrong one.
  return (
    <>
      <Dialog
        open={dialog === "save"}
        onOpenChange={(open) => !open && onClose()}
        title={t("queue.saveView")}
        description={t("queue.saveViewHint")}
      >
        <SaveForm
          {...dialogProps}
          existing={own}
          maxNameLength={60}
          savedMessage={(name) => t("queue.viewSaved", { name })}
          save={save}
          onSaved={onClose}
        />
      </Dialog>
      <Dialog
        open={dialog === "remove"}
        onOpenChange={(open) => !open && onClose()}
        title={t("queue.yourViews")}
        description={t("queue.removeViewsHint")}
      >
        <SavedList
          {...dialogProps}
          entries={own}
          remove={remove}
          restore={(view) => view.restore()}
          restoreHint={t("queue.restoreView")}
        />
      </Dialog>
    </>
  );
}
