"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslations } from "#messages";
import { ItemContext } from "@/components/moderation/item-context";
import { itemKey } from "@/components/moderation/labels";
import { NotesSlot } from "@/components/moderation/notes-slot";
import { itemOptions } from "@/components/moderation/queries";
import { Replies } from "@/components/moderation/replies";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-dialog";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { messageOf } from "@/lib/platform/http/client";

const Reports = lazyPart(async () => (await import("@/components/moderation/reports")).Reports);

type Props = {
  clientId: string;
  shop: string;
  item: QueueItem;
  /** the item after it, whose context is fetched ahead */
  next?: QueueItem;
  timeZone: string;
  canDecide: boolean;
  keysOn: boolean;
};

/** Loads the context of an item and of the next one, so that decisions don't wait for it. */
export function RelatedContent({ clientId, shop, item, next, timeZone, canDecide, keysOn }: Props) {
  const t = useTranslations();
  const cache = useQueryClient();
  const query = useQuery(itemOptions(clientId, item.kind, item.id));
  useEffect(() => {
    if (next) void cache.prefetchQuery(itemOptions(clientId, next.kind, next.id));
  }, [cache, clientId, next]);
  if (query.isError && !query.data) {
    return (
      <Notice tone="bad">
        <span className="mr-3">{t("queue.errorLoadingContext", { message: messageOf(query.error, t) })}</span>
        <Button size="small" onClick={() => void query.refetch()}>
          {t("common.tryAgain")}
        </Button>
      </Notice>
    );
  }
  const context = query.data?.context;
  return (
    <>
      {context && context.reports.length > 0 && (
        <Reports
          key={item.id}
          clientId={clientId}
          id={item.id}
          reports={context.reports}
          timeZone={timeZone}
          canDecide={canDecide}
        />
      )}
      {/* Rendered before the context loads: after E one can type immediately, and no letter acts as a shortcut. */}
      {item.kind !== "photo" && (
        <Replies
          key={itemKey(item)}
          clientId={clientId}
          shop={shop}
          item={item}
          replies={context?.replies}
          timeZone={timeZone}
          canDecide={canDecide}
        />
      )}
      {context && canDecide && (
        <NotesSlot
          key={`notes ${itemKey(item)}`}
          clientId={clientId}
          item={item}
          notes={context.notes}
          timeZone={timeZone}
          keysOn={keysOn}
        />
      )}
      {context ? <ItemContext clientId={clientId} item={item} context={context} timeZone={timeZone} /> : <Loading />}
    </>
  );
}

function Loading() {
  const t = useTranslations();
  return (
    <div role="status" aria-label={t("queue.loadingContext")} className="grid gap-6 md:grid-cols-2">
      {["order", "author", "product", "history"].map((panel) => (
        <div key={panel} className="flex flex-col gap-2">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      ))}
    </div>
  );
}
