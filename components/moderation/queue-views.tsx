"use client";

import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { ChevronDown, Layers } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useTranslations } from "#messages";
import { viewsOptions } from "@/components/moderation/queries";
import type { OwnView, ViewDialog } from "@/components/moderation/queue-view-parts";
import { buttonClass } from "@/components/ui/button";
import { fallback } from "@/components/ui/fallback";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { Menu, MenuItem } from "@/components/ui/menu";
import { filterQueryString } from "@/lib/moderation/queue/rules";
import type { QueueFilter } from "@/lib/moderation/queue/schema";

const ViewEntries = dynamic(() =>
  import("@/components/moderation/queue-view-parts").then(({ ViewEntries }) => ViewEntries, fallback(EntriesNotLoaded)),
);
const ViewWindows = lazyDialog(
  async () => (await import("@/components/moderation/queue-view-parts")).ViewDialogs,
  ({ dialog, onClose }) => ({ open: dialog !== null, close: onClose }),
);

type Props = {
  clientId: string;
  filter: QueueFilter;
  href: (filter: QueueFilter) => string;
  onChange: (filter: QueueFilter) => void;
};

/** The views of the queue, built-in and own, each a link with its number of items. */
export function QueueViews({ clientId, filter, href, onChange }: Props) {
  const t = useTranslations();
  const views = useQuery(viewsOptions(clientId));
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<ViewDialog>(null);
  const currentView = views.data?.find((view) => filterQueryString(view.filter) === filterQueryString(filter));
  return (
    <>
      <Menu
        label={t("queue.views")}
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          if (next && views.isStale) void views.refetch();
        }}
        trigger={
          <button type="button" className={clsx(buttonClass({ variant: "quiet", size: "small" }), "max-w-64")}>
            <Layers aria-hidden="true" className="size-4 shrink-0" />
            <span className="truncate">{currentView?.own ? currentView.name : t("queue.views")}</span>
            <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
          </button>
        }
      >
        <ViewEntries
          views={views}
          currentView={currentView}
          href={href}
          onSelect={(chosen) => {
            setOpen(false);
            onChange(chosen);
          }}
          onDialog={setDialog}
        />
      </Menu>
      <ViewWindows
        clientId={clientId}
        filter={filter}
        own={views.data?.filter((view): view is OwnView => view.own) ?? []}
        dialog={dialog}
        onClose={() => setDialog(null)}
      />
    </>
  );
}

/** In a menu, because only menu entries can be reached by keyboard. */
function EntriesNotLoaded() {
  const t = useTranslations();
  return (
    <MenuItem onSelect={() => location.reload()}>
      <button type="button">{t("common.errorLoading")}</button>
    </MenuItem>
  );
}
