"use client";

import { useMutation } from "@tanstack/react-query";
import { Package, Pencil, RefreshCw, ShoppingCart, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { FeedForm } from "@/components/feeds/feed-form";
import { feedState, importKindLabels, scheduleLabels } from "@/components/feeds/labels";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { deleteFeedContract, runFeedContract } from "@/lib/feeds/contract";
import { isMostlySkipped } from "@/lib/feeds/rules";
import type { Feed } from "@/lib/feeds/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatMoment } from "@/lib/platform/i18n/format";
import { textFor } from "@/lib/platform/i18n/text-for";
import type { Translate } from "@/lib/platform/i18n/translator";

/** `reportHref`: the report of the last import, if there is one. */
type Props = { feed: Feed; clientId: string; timeZone: string; mayChange: boolean; reportHref: string | null };

/** A feed: its address, schedule, last result and actions. */
export function FeedCard({ feed, clientId, timeZone, mayChange, reportHref }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const target = { params: { id: feed.id }, query: { client_id: clientId } };
  const run = useMutation({
    mutationFn: () => call<typeof runFeedContract>("POST /portal/api/v1/feeds/{id}/run", { ...target, body: {} }),
    onSettled: () => router.refresh(),
  });
  const remove = useMutation({
    mutationFn: () => call<typeof deleteFeedContract>("DELETE /portal/api/v1/feeds/{id}", target),
    onSuccess: () => {
      setDeleting(false);
      router.refresh();
    },
  });
  const state = feedState(feed);
  const busy = feed.under_way || run.isPending;
  const Icon = feed.kind === "products" ? Package : ShoppingCart;
  const name = t("feeds.kindFromUrl", { kind: t(importKindLabels[feed.kind]), url: feed.url });
  return (
    <li className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted">
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h2 className="font-semibold">{t(importKindLabels[feed.kind])}</h2>
            <Badge tone={state.tone}>{t(state.word)}</Badge>
          </div>
          <p className="text-sm break-all">
            {feed.url}
            {feed.hidden && <span className="text-muted"> {t("feeds.urlHiddenPart")}</span>}
          </p>
          <p className="mt-1 text-sm text-muted">{scheduleSummary(feed, timeZone, t)}</p>
        </div>
        {mayChange && (
          <div className="flex items-center gap-1">
            <Button
              size="small"
              onClick={() => run.mutate()}
              disabled={busy || feed.address_lost}
              aria-label={t("feeds.fetchNowNamed", { name })}
            >
              <RefreshCw aria-hidden="true" className={busy ? "size-3.5 animate-spin" : "size-3.5"} />
              {busy ? t("feeds.fetching") : t("feeds.fetchNow")}
            </Button>
            <Button
              size="small"
              variant="quiet"
              onClick={() => setEditing(true)}
              aria-label={t("feeds.editNamed", { name })}
            >
              <Pencil aria-hidden="true" className="size-4" />
            </Button>
            <Button
              size="small"
              variant="quiet"
              onClick={() => setDeleting(true)}
              aria-label={t("feeds.removeNamed", { name })}
            >
              <Trash2 aria-hidden="true" className="size-4" />
            </Button>
          </div>
        )}
      </div>
      {feed.address_lost && (
        <div className="mt-3">
          <Notice tone="warn">
            {t("feeds.urlUnreadable")} {mayChange ? t("feeds.reenterUrl") : t("feeds.reenterUrlAdmin")}
          </Notice>
        </div>
      )}
      {feed.last_error && !feed.under_way && !feed.address_lost && (
        <div className="mt-3">
          <Notice tone={feed.last_outcome === "failed" ? "bad" : "warn"}>
            <span className="break-words">{feed.last_error}</span>
          </Notice>
        </div>
      )}
      {isMostlySkipped(feed) && !feed.last_error && !feed.under_way && (
        <div className="mt-3">
          <Notice tone="warn">
            {t("feeds.rowsSkipped", {
              n: feed.last_rejected ?? 0,
              read: feed.last_read ?? 0,
            })}{" "}
            {reportHref && (
              <Link className="link" href={reportHref}>
                {t("feeds.viewReport")}
              </Link>
            )}
          </Notice>
        </div>
      )}
      {run.error && (
        <div className="mt-3">
          <Notice tone="bad" alert>
            {messageOf(run.error, t)}
          </Notice>
        </div>
      )}
      {editing && <FeedForm feed={feed} clientId={clientId} open onOpenChange={setEditing} />}
      <Dialog
        open={deleting}
        onOpenChange={setDeleting}
        title={t("feeds.removeTitle")}
        description={t("feeds.removeHint")}
      >
        {remove.error && (
          <Notice tone="bad" alert>
            {messageOf(remove.error, t)}
          </Notice>
        )}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setDeleting(false)}>{t("common.cancel")}</Button>
          <Button variant="bad" onClick={() => remove.mutate()} disabled={remove.isPending}>
            {t("common.remove")}
          </Button>
        </div>
      </Dialog>
    </li>
  );
}

/** The schedule, the last and the next import. */
function scheduleSummary(feed: Feed, timeZone: string, t: Translate): string {
  const often = textFor(scheduleLabels, feed.schedule, t) ?? feed.schedule;
  const moment = (at: string) => ({ moment: formatMoment(at, timeZone, t.language) });
  return [
    feed.enabled ? t("feeds.schedule", { often }) : t("feeds.scheduleOff", { often }),
    feed.last_run_at &&
      (feed.last_outcome === "unchanged"
        ? t("feeds.lastFetchUnchanged", moment(feed.last_run_at))
        : t("feeds.lastFetch", moment(feed.last_run_at))),
    feed.next_run_at &&
      !feed.under_way &&
      t(feed.last_outcome === "failed" ? "feeds.nextAttempt" : "feeds.nextFetch", moment(feed.next_run_at)),
  ]
    .filter(Boolean)
    .join(" ");
}
