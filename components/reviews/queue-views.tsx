"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import clsx from "clsx";
import { BookmarkPlus, ChevronDown, Layers, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { useWords } from "#words";
import { viewsOptions } from "@/components/reviews/queries";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Menu, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toast";
import { call, messageOf } from "@/lib/http/client";
import { removeViewContract, saveViewContract } from "@/lib/queue/contract";
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
  const views = useQuery(viewsOptions(clientId));
  const [open, setOpen] = useState(false);
  const [window, setWindow] = useState<"keep" | "remove" | null>(null);
  const all = views.data ?? [];
  const here = all.find((view) => filterWords(view.filter) === filterWords(filter));
  const own = all.filter((view) => view.own);
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
        <KeepView clientId={clientId} filter={filter} own={own} onKept={() => setWindow(null)} />
      </Dialog>
      <Dialog
        open={window === "remove"}
        onOpenChange={(open) => !open && setWindow(null)}
        title={t("Your views")}
        description={t("Removing one changes nothing of what it showed.")}
      >
        <OwnViews clientId={clientId} own={own} />
      </Dialog>
    </>
  );
}

type KeepProps = { clientId: string; filter: QueueFilter; own: QueueView[]; onKept: () => void };

function KeepView({ clientId, filter, own, onKept }: KeepProps) {
  const t = useWords();
  const id = useId();
  const cache = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState("");
  const keep = useMutation({
    mutationFn: () => call(saveViewContract, { query: { client_id: clientId }, body: { name, filter } }),
    onSuccess: () => {
      toast.show({ id: "view", text: t("“{name}” is among your views.", { name: name.trim() }), duration: 4_000 });
      onKept();
    },
    onSettled: () => cache.invalidateQueries({ queryKey: viewsOptions(clientId).queryKey }),
  });
  const replaces = own.some((view) => view.name === name.trim());
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        keep.mutate();
      }}
    >
      <Field
        id={`${id}-name`}
        label={t("Name")}
        hint={replaces ? t("Takes the place of the one with this name.") : undefined}
        error={keep.error ? t(messageOf(keep.error)) : undefined}
      >
        {(wiring) => (
          <Input {...wiring} value={name} maxLength={60} required onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Button type="submit" look="primary" className="self-start" disabled={keep.isPending || name.trim() === ""}>
        {replaces ? t("Replace") : t("Keep")}
      </Button>
    </form>
  );
}

function OwnViews({ clientId, own }: { clientId: string; own: QueueView[] }) {
  const t = useWords();
  const cache = useQueryClient();
  const toast = useToast();
  const query = { client_id: clientId };
  const refresh = () => cache.invalidateQueries({ queryKey: viewsOptions(clientId).queryKey });
  const failed = (error: Error) =>
    toast.show({ id: "view", tone: "bad", text: t("Not saved. {message}", { message: t(messageOf(error)) }) });
  const restore = useMutation({
    mutationFn: ({ name, filter }: QueueView) => call(saveViewContract, { query, body: { name, filter } }),
    onError: failed,
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ id }: QueueView) => call(removeViewContract, { params: { id }, query }),
    onError: failed,
    onSuccess: (_, view) =>
      toast.show({
        id: "view",
        text: t("“{name}” is removed.", { name: view.name }),
        duration: 8_000,
        action: { label: t("Undo"), hint: t("Keep the view again"), run: () => restore.mutate(view) },
      }),
    onSettled: refresh,
  });
  if (own.length === 0) return <p className="text-sm text-muted">{t("None left.")}</p>;
  return (
    <ul className="flex flex-col">
      {own.map((view) => (
        <li key={view.id} className="flex items-center gap-3 border-b border-line py-2.5 last:border-b-0">
          <span className="min-w-0 flex-1 text-sm font-medium break-words">{view.name}</span>
          <Button
            size="small"
            aria-label={t("Remove {name}", { name: view.name })}
            disabled={remove.isPending}
            onClick={() => remove.mutate(view)}
          >
            {t("Remove")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
