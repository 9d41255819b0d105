import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { ScoreBars } from "@/components/catalog/score-bars";
import { KindIcon } from "@/components/moderation/kind-icon";
import {
  historyText,
  itemKey,
  itemPath,
  queueAddress,
  statusLabels,
  statusTone,
  toStatus,
} from "@/components/moderation/labels";
import { withStore } from "@/components/portal/with-store";
import { Badge } from "@/components/ui/badge";
import { formatAverage } from "@/components/ui/format-average";
import { lazyPart } from "@/components/ui/lazy-dialog";
import { Link } from "@/components/ui/link";
import { Stars } from "@/components/ui/stars";
import type { ItemContext as Context, QueueItem } from "@/lib/moderation/queue/schema";
import { formatDay, formatMoment } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";

const SimilarTexts = lazyPart(async () => (await import("@/components/moderation/similar-texts")).SimilarTexts);

type Props = {
  clientId: string;
  item: QueueItem;
  context: Context;
  timeZone: string;
  /** one level below the item's heading */
  heading?: "h2" | "h3";
};

/**
 * An item's context: where it came from, who wrote it, earlier decisions. Shown beside the item, so that no new tab is
 * needed.
 */
export function ItemContext({ clientId, item, context, timeZone, heading = "h3" }: Props) {
  const t = useTranslations();
  const { order, customer, invitation, product, others } = context;
  const { kind } = item.came_with ?? item;
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-6 text-sm md:grid-cols-2">
      {(kind === "review" || kind === "seller_review") && (
        <Panel title={t("common.order")} heading={heading}>
          {order ? (
            <Facts
              facts={[
                [
                  t("common.order"),
                  <Link
                    key="order"
                    className="link"
                    href={withStore(`/portal/orders/${encodeURIComponent(order.id)}`, clientId)}
                  >
                    {order.id}
                  </Link>,
                ],
                [t("common.item"), order.item_name],
                [
                  deliveryLabel(order.delivery_date, timeZone, t),
                  order.delivery_date && deliveredText(order.delivery_date, item.date, t),
                ],
                [t("common.invited"), invitation?.sent_at && formatMoment(invitation.sent_at, timeZone, t.language)],
                [
                  t("queue.linkOpened"),
                  invitation?.clicked_at && formatMoment(invitation.clicked_at, timeZone, t.language),
                ],
                [t("queue.storeLocation"), order.store_name],
              ]}
            />
          ) : (
            <p className="text-muted">
              {item.order_id ? t("queue.orderId", { order_id: item.order_id }) : t("queue.noOrder")}
            </p>
          )}
        </Panel>
      )}
      {kind !== "answer" && (
        <Panel title={t("queue.author")} heading={heading}>
          <Facts
            facts={[
              [t("common.name"), customer?.name ?? item.author],
              [t("common.email"), customer?.email ?? item.author_email],
              [t("common.customerId"), customer?.id ?? item.customer_id],
            ]}
          />
          {others.length > 0 && (
            <>
              <p className="mt-3 mb-1.5 text-muted">{t("queue.alsoWrote")}</p>
              <ul className="flex flex-col gap-1.5">
                {others.map((other) => (
                  <li key={itemKey(other)} className="flex items-center gap-2">
                    {other.kind !== "review" && <KindIcon kind={other.kind} className="size-3.5 shrink-0 text-muted" />}
                    {other.score !== null && <Stars score={other.score} />}
                    <Link
                      className="line-clamp-2 min-w-0 flex-1 break-words hover:underline"
                      href={withStore(itemPath(other), clientId)}
                    >
                      {other.title ?? (other.kind === "seller_review" ? t("queue.sellerReview") : other.id)}
                    </Link>
                    <Badge tone={statusTone[toStatus(other.accepted)]}>
                      {t(statusLabels[toStatus(other.accepted)])}
                    </Badge>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Panel>
      )}
      {kind !== "seller_review" && (
        <Panel title={t("common.product")} heading={heading}>
          {product ? (
            <>
              <Facts
                facts={[
                  [
                    t("common.name"),
                    product.url ? (
                      <a key="url" className="link" href={product.url} target="_blank" rel="noreferrer">
                        {product.name}
                      </a>
                    ) : (
                      product.name
                    ),
                  ],
                  [t("common.productId"), product.id],
                  [
                    t("queue.relatedContent"),
                    <Link
                      key="more"
                      className="link"
                      href={queueAddress({ status: "all", product: product.id }, { client_id: clientId })}
                    >
                      {t("queue.viewProductContent")}
                    </Link>,
                  ],
                  [
                    t("queue.productRating"),
                    product.average === null
                      ? t("queue.noReviews")
                      : t("queue.averageRating", {
                          average: formatAverage(product.average, t.language),
                          n: product.count,
                        }),
                  ],
                ]}
              />
              {product.count > 0 && (
                <div className="mt-3 max-w-80">
                  <ScoreBars dist={product.scores} />
                </div>
              )}
            </>
          ) : (
            <p className="text-muted">
              {[item.product_ids[0] ?? item.family_ids[0], t("queue.notInCatalog")].filter(Boolean).join(", ")}.
            </p>
          )}
        </Panel>
      )}
      {context.alike.length > 0 && (
        <Panel title={t("queue.similarText")} heading={heading}>
          <SimilarTexts clientId={clientId} alike={context.alike} />
        </Panel>
      )}
      <Panel title={t("queue.history")} heading={heading}>
        <Timeline item={item} context={context} timeZone={timeZone} />
      </Panel>
    </div>
  );
}

/** A delivery day that is still in the future in the store's time zone is expected, not past. */
function deliveryLabel(day: string | null, timeZone: string, t: Translate): string {
  const written = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, ...written }).format(Date.now());
  return (day ?? "") > today ? t("queue.deliveryExpected") : t("queue.delivered");
}

/** The delivery date, and the time until the review if it is meaningful. */
function deliveredText(delivered: string, written: string, t: Translate): string {
  const n = Math.round((Date.parse(written) - Date.parse(delivered)) / 86_400_000);
  const day = formatDay(delivered, t.language);
  return n > 0 ? t("queue.daysBeforeReview", { day, n }) : day;
}

function Panel({ title, heading: Heading, children }: { title: string; heading: "h2" | "h3"; children: ReactNode }) {
  return (
    <section>
      <Heading className="mb-2 font-medium">{title}</Heading>
      {children}
    </section>
  );
}

function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  const t = useTranslations();
  const known = facts.filter(([, value]) => value);
  if (known.length === 0) return <p className="text-muted">{t("queue.noDetails")}</p>;
  return (
    <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1">
      {known.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Moment = { at: string; text: string; day?: boolean };

/** All known events in order: order and invitation, then the item and its history. */
function Timeline({ item, context, timeZone }: { item: QueueItem; context: Context; timeZone: string }) {
  const t = useTranslations();
  const { order, invitation, history } = context;
  const known: (Moment | null | undefined | "" | false)[] = [
    order && { at: order.created_at, text: t("queue.ordered") },
    order?.delivery_date && {
      at: order.delivery_date,
      text: deliveryLabel(order.delivery_date, timeZone, t),
      day: true,
    },
    invitation?.sent_at && {
      at: invitation.sent_at,
      text: invitation.kind === "reminder" ? t("queue.reminderSent") : t("common.invited"),
    },
    invitation?.clicked_at && {
      at: invitation.clicked_at,
      text: t("queue.linkOpened"),
    },
    {
      at: item.received_at,
      text: item.kind === "photo" ? t("queue.addedToQueue") : t("queue.received"),
    },
  ];
  // The submission is shown from the item itself; only later entries come from the history.
  const later = history.filter(({ action }) => action !== "submitted");
  const before = known.filter((moment) => !!moment).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <ol className="flex flex-col gap-2.5 border-l border-line pl-4">
      {before.map((moment) => (
        <Step key={moment.text} {...moment} timeZone={timeZone} />
      ))}
      {later.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: history only grows at its end
        <Step key={index} at={entry.at} timeZone={timeZone} text={historyText(entry, t)} />
      ))}
    </ol>
  );
}

function Step({ at, timeZone, text, day = false }: Moment & { timeZone: string }) {
  const t = useTranslations();
  return (
    <li className="relative before:absolute before:top-1.5 before:-left-[1.22rem] before:size-2 before:rounded-full before:bg-edge">
      {text}
      <time dateTime={at} className="figures block text-muted">
        {day ? formatDay(at, t.language) : formatMoment(at, timeZone, t.language)}
      </time>
    </li>
  );
}
