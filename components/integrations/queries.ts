import { queryOptions } from "@tanstack/react-query";
import { translateNoticeFields, type WithNotices } from "@/components/integrations/translate-notices";
import type { getSentContract } from "@/lib/integrations/contract";
import type { SentDeliveries, sentKinds } from "@/lib/integrations/schema";
import { call, loadNoticeTranslator } from "@/lib/platform/http/client";

export const sentKey = (clientId: string) => ["sent", clientId] as const;

/** Poll only while a delivery is overdue or due within this time. */
const SOON_MS = 180_000;
const REFETCH_INTERVAL_MS = 2_000;

export const sentOptions = (clientId: string, kind: (typeof sentKinds)[number], id: string) =>
  queryOptions({
    queryKey: [...sentKey(clientId), kind, id],
    queryFn: async (): Promise<SentDeliveries> => {
      const { data } = await call<typeof getSentContract>("GET /portal/api/v1/sent/{kind}/{id}", {
        params: { kind, id },
        query: { client_id: clientId },
      });
      const { engagement, webhooks } = data;
      const translate = await loadNoticeTranslator(deliveriesOf(data));
      const translated = <T extends WithNotices>(deliveries: readonly T[]): T[] =>
        deliveries.map((delivery) => translateNoticeFields(delivery, translate));
      return {
        engagement: engagement && { ...engagement, deliveries: translated(engagement.deliveries) },
        webhooks: webhooks.map((webhook) => ({ ...webhook, deliveries: translated(webhook.deliveries) })),
      };
    },
    refetchInterval: ({ state: { data } }) => (data && isInProgress(data) ? REFETCH_INTERVAL_MS : false),
  });

const deliveriesOf = ({ engagement, webhooks }: SentDeliveries) => [
  ...(engagement?.deliveries ?? []),
  ...webhooks.flatMap(({ deliveries }) => deliveries),
];

const isInProgress = (sent: SentDeliveries): boolean =>
  sent.engagement?.untold === "about_to" ||
  deliveriesOf(sent).some(({ due_at }) => due_at !== null && Date.parse(due_at) < Date.now() + SOON_MS);
