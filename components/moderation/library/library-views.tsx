"use client";

import { BookmarkPlus, ChevronDown, Layers, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { defaultViews } from "@/components/moderation/library/labels";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { SavedList, SaveForm } from "@/components/ui/saved-list";
import type { removeLibraryViewContract, saveLibraryViewContract } from "@/lib/moderation/library/contract";
import { type LibraryFilter, libraryQuery, readLibraryFilter } from "@/lib/moderation/library/values";
import { call, messageOf } from "@/lib/platform/http/client";

type OwnView = { id: string; name: string; query: string };

type Props = {
  path: string;
  clientId: string;
  /** in addresses, if the person has several stores */
  clientParam: string | undefined;
  filter: LibraryFilter;
  own: OwnView[];
};

const filterOf = (query: string): LibraryFilter => {
  const params = new URLSearchParams(query);
  return readLibraryFilter((name) => params.get(name));
};

/** Saved filters: default views, the person's own, and dialogs to save and remove these. */
export function LibraryViews({ path, clientId, clientParam, filter, own }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [dialog, setDialog] = useState<"save" | "remove" | null>(null);
  const query = { client_id: clientId };
  const current = libraryQuery(filter).toString();
  const href = (view: string): string => {
    const params = new URLSearchParams(view);
    if (clientParam !== undefined) params.set("client_id", clientParam);
    return `${path}?${params}`;
  };
  const entry = (id: string, name: string, view: string) => (
    <MenuItem key={id}>
      <Link
        href={href(view)}
        aria-current={view === current ? "true" : undefined}
        className="aria-[current=true]:font-medium"
      >
        <span className="min-w-0 flex-1 truncate">{name}</span>
      </Link>
    </MenuItem>
  );
  const save = ({ name, query: view }: Pick<OwnView, "name" | "query">) =>
    call<typeof saveLibraryViewContract>("POST /portal/api/v1/library_views", {
      query,
      body: { name, filter: filterOf(view) },
    });
  const dialogProps = {
    what: "view",
    refresh: () => router.refresh(),
    errorMessage: (error: unknown) => messageOf(error, t),
  };
  const currentOwn = own.find((view) => view.query === current);
  return (
    <>
      <Menu
        label={t("queue.views")}
        trigger={
          <Button variant="quiet" size="small" className="h-9 max-w-56">
            <Layers aria-hidden="true" className="size-4 shrink-0" />
            <span className="truncate">{currentOwn?.name ?? t("queue.views")}</span>
            <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
          </Button>
        }
      >
        <MenuLabel>{t("queue.defaultViews")}</MenuLabel>
        {defaultViews.map(({ name, filter: view }) =>
          entry(name, t(name), libraryQuery({ kind: "review", sort: "newest", ...view }).toString()),
        )}
        <MenuSeparator />
        <MenuLabel>{t("queue.yourViews")}</MenuLabel>
        {own.map(({ id, name, query: view }) => entry(id, name, view))}
        {own.length === 0 && <p className="px-2.5 pb-2 text-sm text-muted">{t("queue.noViewsHint")}</p>}
        <MenuSeparator />
        <MenuItem onSelect={() => setDialog("save")}>
          <button type="button">
            <BookmarkPlus aria-hidden="true" className="size-4 text-muted" />
            {t("queue.saveViewMenu")}
          </button>
        </MenuItem>
        {own.length > 0 && (
          <MenuItem onSelect={() => setDialog("remove")}>
            <button type="button">
              <Trash2 aria-hidden="true" className="size-4 text-muted" />
              {t("queue.removeViewsMenu")}
            </button>
          </MenuItem>
        )}
      </Menu>
      {/* One dialog each: while a dialog closes it keeps its content, and a click can't hit the wrong one. */}
      <Dialog
        open={dialog === "save"}
        onOpenChange={(open) => !open && setDialog(null)}
        title={t("queue.saveView")}
        description={t("queue.saveViewHint")}
      >
        <SaveForm
          {...dialogProps}
          existing={own}
          maxNameLength={60}
          savedMessage={(name) => t("queue.viewSaved", { name })}
          save={(name) => save({ name, query: current })}
          onSaved={() => setDialog(null)}
        />
      </Dialog>
      <Dialog
        open={dialog === "remove"}
        onOpenChange={(open) => !open && setDialog(null)}
        title={t("queue.yourViews")}
        description={t("queue.removeViewsHint")}
      >
        <SavedList
          {...dialogProps}
          entries={own}
          remove={({ id }) =>
            call<typeof removeLibraryViewContract>("DELETE /portal/api/v1/library_views/{id}", {
              params: { id },
              query,
            })
          }
          restore={save}
          restoreHint={t("queue.restoreView")}
        />
      </Dialog>
    </>
  );
}
