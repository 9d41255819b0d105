import { queryOptions } from "@tanstack/react-query";
import { type Trouble, translateTrouble } from "@/components/integrations/translate-trouble";
import type { getSentContract } from "@/lib/integrations/contract";
import type { Sent, sentKinds } from "@/lib/integrations/schema";
import { call, noticeTexts } from "@/lib/platform/http/client";

export const sentKey = (clientId: string) => ["sent", clientId] as const;

/** While something is on its way and may have arrived in a moment, it is looked at again. */
const SOON = 180_000;
const EVERY = 2_000;

export const sentOptions = (clientId: string, kind: (typeof sentKinds)[number], id: string) =>
  queryOptions({
    queryKey: [...sentKey(clientId), kind, id],
    queryFn: async (): Promise<Sent> => {
      const { data } = await call<typeof getSentContract>("GET /portal/api/v1/sent/{kind}/{id}", {
        params: { kind, id },
        query: { client_id: clientId },
      });
      const { engagement, webhooks } = data;
      const say = await noticeTexts(deliveriesOf(data));
      const said = <T extends Trouble>(deliveries: readonly T[]): T[] =>
        deliveries.map((delivery) => translateTrouble(delivery, say));
      return {
        engagement: engagement && { ...engagement, deliveries: said(engagement.deliveries) },
        webhooks: webhooks.map((webhook) => ({ ...webhook, deliveries: said(webhook.deliveries) })),
      };
    },
    refetchInterval: ({ state: { data } }) => (data && isOnItsWay(data) ? EVERY : false),
  });

const deliveriesOf = ({ engagement, webhooks }: Sent) => [
  ...(engagement?.deliveries ?? []),
  ...webhooks.flatMap(({ deliveries }) => deliveries),
];

const isOnItsWay = (sent: Sent): boolean =>
  sent.engagement?.untold === "about_to" ||
  deliveriesOf(sent).some(({ due_at }) => due_at !== null && Date.parse(due_at) < Date.now() + SOON);
