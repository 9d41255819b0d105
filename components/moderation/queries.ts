import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { listColleaguesContract } from "@/lib/accounts/contract";
import type {
  getItemDetailContract,
  listQueueContract,
  listViewsContract,
  pendingCountsContract,
  recordViewerContract,
} from "@/lib/moderation/queue/contract";
import { isOldestFirst, matchesStatus } from "@/lib/moderation/queue/rules";
import type { QueueFilter, QueueItem } from "@/lib/moderation/queue/schema";
import { call, nextCursor } from "@/lib/platform/http/client";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";
import type { listTemplatesContract } from "@/lib/reviews/replies/contract";

type QueuePage = { data: QueueItem[]; links: { next?: string } };
export type QueuePages = InfiniteData<QueuePage, string | null>;

/** Query keys of the queue's screens; the server fills the same ones. */
export const queryKeys = {
  queues: (clientId: string) => ["queue", clientId] as const,
  queue: (clientId: string, filter: QueueFilter) => ["queue", clientId, filter] as const,
  items: (clientId: string) => ["item", clientId] as const,
  item: (clientId: string, kind: DecidedKind, id: string) => ["item", clientId, kind, id] as const,
  waiting: (clientId: string) => ["waiting", clientId] as const,
  views: (clientId: string) => ["views", clientId] as const,
  /** decisions being stored */
  decisions: (clientId: string) => ["decisions", clientId] as const,
};

/**
 * Marks what the queue's screens loaded as outdated, after any change to items except decisions in the queue. Resolves
 * when what is shown is reloaded.
 */
export async function invalidateItems(cache: QueryClient, clientId: string): Promise<void> {
  const { queues, items, waiting, views } = queryKeys;
  await Promise.all([queues, items, waiting, views].map((key) => cache.invalidateQueries({ queryKey: key(clientId) })));
}

export const queueOptions = (clientId: string, filter: QueueFilter) =>
  infiniteQueryOptions({
    queryKey: queryKeys.queue(clientId, filter),
    queryFn: ({ pageParam, signal }) =>
      call<typeof listQueueContract>("GET /portal/api/v1/queue", {
        query: { client_id: clientId, ...filter, after: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: nextCursor,
  });

export const itemOptions = (clientId: string, kind: DecidedKind, id: string) =>
  queryOptions({
    queryKey: queryKeys.item(clientId, kind, id),
    queryFn: async ({ signal }) =>
      (
        await call<typeof getItemDetailContract>("GET /portal/api/v1/queue/{kind}/{id}", {
          params: { kind, id },
          query: { client_id: clientId },
          signal,
        })
      ).data,
  });

export const pendingCountsOptions = (clientId: string) =>
  queryOptions({
    queryKey: queryKeys.waiting(clientId),
    queryFn: async ({ signal }) =>
      (
        await call<typeof pendingCountsContract>("GET /portal/api/v1/waiting", {
          query: { client_id: clientId },
          signal,
        })
      ).data,
    refetchInterval: 60_000,
  });

export const viewsOptions = (clientId: string) =>
  queryOptions({
    queryKey: queryKeys.views(clientId),
    queryFn: async ({ signal }) =>
      (
        await call<typeof listViewsContract>("GET /portal/api/v1/queue_views", {
          query: { client_id: clientId },
          signal,
        })
      ).data,
    staleTime: 60_000,
  });

/** The people who can moderate the store: to assign items to, and to mention in notes. */
export const colleaguesOptions = (clientId: string) =>
  queryOptions({
    queryKey: ["colleagues", clientId],
    queryFn: async ({ signal }) =>
      (
        await call<typeof listColleaguesContract>("GET /portal/api/v1/colleagues", {
          query: { client_id: clientId },
          signal,
        })
      ).data,
    staleTime: 300_000,
  });

/** Reports that the viewer is looking at an item; every fetch renews it. */
export const viewersOptions = (clientId: string, kind: DecidedKind, id: string) =>
  queryOptions({
    queryKey: ["look", clientId, kind, id],
    queryFn: async ({ signal }) =>
      (
        await call<typeof recordViewerContract>("PUT /portal/api/v1/queue/{kind}/{id}/look", {
          params: { kind, id },
          query: { client_id: clientId },
          signal,
        })
      ).data,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/**
 * The loaded pages after `item` changed: replaced if it still matches the filter, removed if not, reinserted by time if
 * it matches again (unless that position is beyond what is loaded).
 */
function updateItem(pages: QueuePages | undefined, filter: QueueFilter, item: QueueItem): QueuePages | undefined {
  if (!pages) return pages;
  const stays = matchesStatus(filter, item.accepted);
  const known = pages.pages.some(({ data }) => data.some((held) => isSameItem(held, item)));
  if (known) {
    return mapPages(pages, (data) =>
      stays
        ? data.map((held) => (isSameItem(held, item) ? item : held))
        : data.filter((held) => !isSameItem(held, item)),
    );
  }
  if (!stays) return pages;
  const oldestFirst = isOldestFirst(filter);
  const isBefore = (held: QueueItem) =>
    oldestFirst ? item.received_at <= held.received_at : item.received_at >= held.received_at;
  let placed = false;
  const result = mapPages(pages, (data, isLast) => {
    if (placed) return data;
    const at = data.findIndex(isBefore);
    const complete = isLast && pages.pages.at(-1)?.links.next === undefined;
    if (at < 0 && !complete) return data;
    placed = true;
    return data.toSpliced(at < 0 ? data.length : at, 0, item);
  });
  return result;
}

/** Same as {@link updateItem}, for several items. */
export const updateItems = (
  pages: QueuePages | undefined,
  filter: QueueFilter,
  items: readonly QueueItem[],
): QueuePages | undefined => items.reduce((held, item) => updateItem(held, filter, item), pages);

export const removeItems = (pages: QueuePages | undefined, items: readonly QueueItem[]): QueuePages | undefined =>
  pages && mapPages(pages, (data) => data.filter((held) => !items.some((item) => isSameItem(held, item))));

export const isSameItem = (a: QueueItem, b: QueueItem): boolean => a.id === b.id && a.kind === b.kind;

/** The loaded pages with every item mapped. */
export const mapPages = (
  pages: QueuePages,
  change: (data: QueueItem[], isLast: boolean) => QueueItem[],
): QueuePages => ({
  ...pages,
  pages: pages.pages.map((page, index) => ({
    ...page,
    data: change(page.data, index === pages.pages.length - 1),
  })),
});

/**
 * Shows whom a pending item is assigned to, in all loaded lists and in its context. It stays in its place. If it was
 * decided meanwhile, the assignment has ended.
 */
export function showAssignment(
  cache: QueryClient,
  clientId: string,
  item: QueueItem,
  assigned: QueueItem["assigned"],
): void {
  const change = (held: QueueItem) => (isSameItem(held, item) && held.accepted === null ? { ...held, assigned } : held);
  cache.setQueriesData<QueuePages>(
    { queryKey: queryKeys.queues(clientId) },
    (pages) => pages && mapPages(pages, (data) => data.map(change)),
  );
  cache.setQueryData(
    itemOptions(clientId, item.kind, item.id).queryKey,
    (held) => held && { ...held, item: change(held.item) },
  );
}

/** The store's reply templates. */
export const replyTemplatesOptions = (clientId: string) =>
  queryOptions({
    queryKey: ["reply-templates", clientId],
    queryFn: async ({ signal }) =>
      (
        await call<typeof listTemplatesContract>("GET /portal/api/v1/reply_templates", {
          query: { client_id: clientId },
          signal,
        })
      ).data,
  });
