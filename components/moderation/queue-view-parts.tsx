"use client";

import { useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus, Trash2 } from "lucide-react";
import { useTranslations } from "#messages";
import { systemViewNames } from "@/components/moderation/labels";
import { viewsOptions } from "@/components/moderation/queries";
import { Dialog } from "@/components/ui/dialog";
import { MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { SavedList, SaveForm } from "@/components/ui/saved-list";
import type { removeViewContract, saveViewContract } from "@/lib/moderation/queue/contract";
import type { QueueFilter, QueueView } from "@/lib/moderation/queue/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatCount } from "@/lib/platform/i18n/format";
import { textFor } from "@/lib/platform/i18n/text-for";

/** The open dialog about views. */
export type ViewDialog = "save" | "remove" | null;

type EntriesProps = {
  views: { data?: QueueView[]; isPending: boolean; isError: boolean; error: unknown };
  /** the current view */
  currentView: QueueView | undefined;
  href: (filter: QueueFilter) => string;
  onSelect: (filter: QueueFilter) => void;
  onDialog: (window: ViewDialog) => void;
};

/** The menu's entries: built-in views, own views, and actions for these. */
export function ViewEntries({ views, currentView, href, onSelect, onDialog }: EntriesProps) {
  const t = useTranslations();
  const all = views.data ?? [];
  const own = all.filter((view) => view.own);
  const entry = (view: QueueView) => (
    <MenuItem key={view.id}>
      <a
        href={href(view.filter)}
        aria-current={view === currentView ? "true" : undefined}
        className="aria-[current=true]:font-medium"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          onSelect(view.filter);
        }}
      >
        <span className="min-w-0 flex-1 truncate">{view.name ?? textFor(systemViewNames, view.id, t)}</span>
        <span className="figures text-xs text-muted">{formatCount(view.count, t.language, view.more)}</span>
      </a>
    </MenuItem>
  );
  return (
    <>
      <MenuLabel>{t("queue.defaultViews")}</MenuLabel>
      {all.filter((view) => !view.own).map(entry)}
      {views.isPending && <p className="px-2.5 py-2 text-sm text-muted">{t("common.loading")}</p>}
      {views.isError && <p className="px-2.5 py-2 text-sm text-bad">{messageOf(views.error, t)}</p>}
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

/** A view that the person saved under a name. */
export type OwnView = QueueView & { name: string };

type DialogsProps = {
  clientId: string;
  filter: QueueFilter;
  own: OwnView[];
  dialog: ViewDialog;
  onClose: () => void;
};

/** Saves the current filters under a name, and deletes saved views. */
export function ViewDialogs({ clientId, filter, own, dialog, onClose }: DialogsProps) {
  const t = useTranslations();
  const cache = useQueryClient();
  const query = { client_id: clientId };
  const save = ({ name, filter: filters }: Pick<OwnView, "name" | "filter">) =>
    call<typeof saveViewContract>("POST /portal/api/v1/queue_views", { query, body: { name, filter: filters } });
  const remove = ({ id }: OwnView) =>
    call<typeof removeViewContract>("DELETE /portal/api/v1/queue_views/{id}", { params: { id }, query });
  const dialogProps = {
    what: "view",
    refresh: () => cache.invalidateQueries({ queryKey: viewsOptions(clientId).queryKey }),
    errorMessage: (error: unknown) => messageOf(error, t),
  };
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
          save={(name) => save({ name, filter })}
          onSaved={onClose}
        />
      </Dialog>
      <Dialog
        open={dialog === "remove"}
        onOpenChange={(open) => !open && onClose()}
        title={t("queue.yourViews")}
        description={t("queue.removeViewsHint")}
      >
        <SavedList {...dialogProps} entries={own} remove={remove} restore={save} restoreHint={t("queue.restoreView")} />
      </Dialog>
    </>
  );
}
