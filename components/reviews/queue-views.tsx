"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import clsx from "clsx";
import { BookmarkPlus, ChevronDown, Layers, Trash2 } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { viewsOptions } from "@/components/reviews/queries";
import { buttonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { KeepForm, KeptList } from "@/components/ui/kept";
import { Menu, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import { call, messageOf } from "@/lib/http/client";
import type { removeViewContract, saveViewContract } from "@/lib/queue/contract";
import { filterWords } from "@/lib/queue/rules";
import type { QueueFilter, QueueView } from "@/lib/queue/schema";

type Props = {
  clientId: string;
  filter: QueueFilter;
  href: (filter: QueueFilter) => string;
  onChange: (filter: QueueFilter) => void;
};

/** Ways to look at the queue: those of everybody and one's own, each a link with how much it shows. */
export function QueueViews({ clientId, filter, href, onChange }: Props) {
  const t = useWords();
  const cache = useQueryClient();
  const views = useQuery(viewsOptions(clientId));
  const [open, setOpen] = useState(false);
  const [window, setWindow] = useState<"keep" | "remove" | null>(null);
  const all = views.data ?? [];
  const here = all.find((view) => filterWords(view.filter) === filterWords(filter));
  const own = all.filter((view) => view.own);
  const query = { client_id: clientId };
  const save = ({ name, filter: filters }: Pick<QueueView, "name" | "filter">) =>
    call<typeof saveViewContract>("POST /portal/api/v1/queue_views", { query, body: { name, filter: filters } });
  const remove = ({ id }: QueueView) =>
    call<typeof removeViewContract>("DELETE /portal/api/v1/queue_views/{id}", { params: { id }, query });
  const kept = {
    what: "view",
    refresh: () => cache.invalidateQueries({ queryKey: viewsOptions(clientId).queryKey }),
    wordsOf: (error: unknown) => t(messageOf(error)),
  };
  const entry = (view: QueueView) => (
    <MenuItem key={view.id}>
      <a
        href={href(view.filter)}
        aria-current={view === here ? "true" : undefined}
        className="aria-[current=true]:font-medium"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          setOpen(false);
          onChange(view.filter);
        }}
      >
        <span className="min-w-0 flex-1 truncate">{view.own ? view.name : t(view.name)}</span>
        <span className="figures text-xs text-muted">
          {view.count}
          {view.more && "+"}
        </span>
      </a>
    </MenuItem>
  );
  return (
    <>
      <Menu
        label={t("Views")}
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          if (next && views.isStale) void views.refetch();
        }}
        trigger={
          <button type="button" className={clsx(buttonClass({ look: "quiet", size: "small" }), "max-w-64")}>
            <Layers aria-hidden="true" className="size-4 shrink-0" />
            <span className="truncate">{here?.own ? here.name : t("Views")}</span>
            <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
          </button>
        }
      >
        <MenuLabel>{t("Everybody’s")}</MenuLabel>
        {all.filter((view) => !view.own).map(entry)}
        {views.isPending && <p className="px-2.5 py-2 text-sm text-muted">{t("Loading …")}</p>}
        {views.isError && <p className="px-2.5 py-2 text-sm text-bad">{t(messageOf(views.error))}</p>}
        <MenuLine />
        <MenuLabel>{t("Yours")}</MenuLabel>
        {own.map(entry)}
        {own.length === 0 && (
          <p className="px-2.5 pb-2 text-sm text-muted">{t("Set filters, and keep them under a name.")}</p>
        )}
        <MenuLine />
        <MenuItem onSelect={() => setWindow("keep")}>
          <button type="button">
            <BookmarkPlus aria-hidden="true" className="size-4 text-muted" />
            {t("Keep this view …")}
          </button>
        </MenuItem>
        {own.length > 0 && (
          <MenuItem onSelect={() => setWindow("remove")}>
            <button type="button">
              <Trash2 aria-hidden="true" className="size-4 text-muted" />
              {t("Remove views …")}
            </button>
          </MenuItem>
        )}
      </Menu>
      {/* A window each: while one goes it shows what it was, and no click meets what is not meant. */}
      <Dialog
        open={window === "keep"}
        onOpenChange={(open) => !open && setWindow(null)}
        title={t("Keep this view")}
        description={t("The filters as they are now, for you alone. To share them, send the page’s address.")}
      >
        <KeepForm
          {...kept}
          taken={own}
          longest={60}
          saidOf={(name) => t("“{name}” is among your views.", { name })}
          keep={(name) => save({ name, filter })}
          onKept={() => setWindow(null)}
        />
      </Dialog>
      <Dialog
        open={window === "remove"}
        onOpenChange={(open) => !open && setWindow(null)}
        title={t("Your views")}
        description={t("Removing one changes nothing of what it showed.")}
      >
        <KeptList {...kept} entries={own} remove={remove} restore={save} restoreHint={t("Keep the view again")} />
      </Dialog>
    </>
  );
}
