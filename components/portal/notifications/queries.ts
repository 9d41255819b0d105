import { mutationOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type {
  countNotificationsContract,
  listNotificationsContract,
  readNotificationContract,
  readNotificationsContract,
} from "@/lib/accounts/notifications/contract";
import type { Notification } from "@/lib/accounts/notifications/schema";
import { call } from "@/lib/platform/http/client";

const all = ["notifications"] as const;

/** How often a visible page asks for the number of unread notifications. */
const COUNT_INTERVAL_MS = 60_000;

export const unreadCountOptions = queryOptions({
  queryKey: [...all, "count"],
  queryFn: async ({ signal }) =>
    (await call<typeof countNotificationsContract>("GET /portal/api/v1/notifications/count", { signal })).data,
  refetchInterval: COUNT_INTERVAL_MS,
});

/** The newest notifications, as the bell shows them. */
export const newestOptions = queryOptions({
  queryKey: [...all, "newest"],
  queryFn: async ({ signal }) =>
    (await call<typeof listNotificationsContract>("GET /portal/api/v1/notifications", { signal })).data,
  staleTime: 0,
});

const refresh = (cache: QueryClient) => cache.invalidateQueries({ queryKey: all });

export const readOptions = (cache: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call<typeof readNotificationContract>("POST /portal/api/v1/notifications/{id}/read", { params: { id } }),
    onSettled: () => refresh(cache),
  });

/**
 * Marks all as read, up to the newest that the person has seen: the first of the list. What occurs after
 * that, also again, stays unread.
 */
export const readAllOptions = (cache: QueryClient) =>
  mutationOptions({
    mutationFn: ({ again_at }: Pick<Notification, "again_at">) =>
      call<typeof readNotificationsContract>("POST /portal/api/v1/notifications/read", {
        body: { up_to: again_at },
      }),
    onSettled: () => refresh(cache),
  });
