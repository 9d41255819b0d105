"use client";

import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { ChevronDown, Layers } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { queueWindows } from "@/components/moderation/late-queue-windows";
import { viewsOptions } from "@/components/moderation/queries";
import type { ViewWindow } from "@/components/moderation/queue-view-parts";
import { buttonClass } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { filterWords } from "@/lib/moderation/queue/rules";
import type { QueueFilter } from "@/lib/moderation/queue/schema";

type Props = {
  clientId: string;
  filter: QueueFilter;
  href: (filter: QueueFilter) => string;
  onChange: (filter: QueueFilter) => void;
};

/** Ways to look at the queue: those of everybody and one's own, each a link with how much it shows. */
export function QueueViews({ clientId, filter, href, onChange }: Props) {
  const t = useWords();
  const views = useQuery(viewsOptions(clientId));
  const [open, setOpen] = useState(false);
  const [window, setWindow] = useState<ViewWindow>(null);
  // Each opening asks anew where the last one was in vain.
  const [asked, setAsked] = useState(0);
  const part = queueWindows.use(asked);
  const parts = part === "failed" ? null : part;
  const here = views.data?.find((view) => filterWords(view.filter) === filterWords(filter));
  return (
    <>
      <Menu
        label={t("Views")}
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          if (next) setAsked((times) => times + 1);
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
        {parts ? (
          <parts.ViewEntries
            views={views}
            here={here}
            href={href}
            onChoose={(chosen) => {
              setOpen(false);
              onChange(chosen);
            }}
            onWindow={setWindow}
          />
        ) : (
          <p role="status" className="px-2.5 py-2 text-sm text-muted">
            {part === "failed"
              ? t("This part of the page could not be loaded. Check your connection and load the page again.")
              : t("Loading …")}
          </p>
        )}
      </Menu>
      {parts && (
        <parts.ViewWindows
          clientId={clientId}
          filter={filter}
          own={views.data?.filter((view) => view.own) ?? []}
          window={window}
          onClose={() => setWindow(null)}
        />
      )}
    </>
  );
}
