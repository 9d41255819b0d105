import { queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/http/client";
import type { getSentContract } from "@/lib/integrations/contract";
import type { Sent, sentKinds } from "@/lib/integrations/schema";

export const sentKey = (clientId: string) => ["sent", clientId] as const;

/** While something is on its way and may have arrived in a moment, it is looked at again. */
const SOON = 180_000;
const EVERY = 2_000;

export const sentOptions = (clientId: string, kind: (typeof sentKinds)[number], id: string) =>
  queryOptions({
    queryKey: [...sentKey(clientId), kind, id],
    queryFn: async () =>
      (
        await call<typeof getSentContract>("GET /portal/api/v1/sent/{kind}/{id}", {
          params: { kind, id },
          query: { client_id: clientId },
        })
      ).data as Sent,
    refetchInterval: ({ state: { data } }) => (data && isOnItsWay(data) ? EVERY : false),
  });

const isOnItsWay = ({ engagement, webhooks }: Sent): boolean =>
  engagement?.untold === "about_to" ||
  [...(engagement?.deliveries ?? []), ...webhooks.flatMap(({ deliveries }) => deliveries)].some(
    ({ due_at }) => due_at !== null && Date.parse(due_at) < Date.now() + SOON,
  );
