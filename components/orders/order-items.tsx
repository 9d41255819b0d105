import clsx from "clsx";
import { CalendarClock, CircleSlash, Clock, Send, Star } from "lucide-react";
import { useTranslations } from "#messages";
import { statusLabels, statusTone, toStatus } from "@/components/moderation/labels";
import { ItemActions } from "@/components/orders/item-actions";
import { ItemTimeline, type TimelineStep } from "@/components/orders/item-timeline";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-text";
import { Link } from "@/components/ui/link";
import { Stars, StarsHidden } from "@/components/ui/stars";
import type { ItemAction } from "@/lib/invitations/values";
import type { Order, OrderHistory } from "@/lib/orders/schema";
import { formatDay } from "@/lib/platform/i18n/format";

/** An item's invitation, as planned. */
type ItemInvitation = {
  reason: string | null;
  day: string | null;
  sentence: string;
  excluded: boolean;
  actions: readonly ItemAction[];
  sendableLater: boolean;
  timeline: TimelineStep[];
};

type Props = {
  order: Order;
  history: OrderHistory;
  invitationsByItem: ReadonlyMap<string, ItemInvitation>;
  timeZone: string;
  reviewHref: (id: string) => string;
  /** what the person may do; without it there are no actions */
  actions?: { clientId: string; today: string; recipient: string; mayExclude: boolean };
};

/** Up to this many items show their timelines; with more items each is collapsed. */
const MAX_EXPANDED = 3;

/** An order's items with a sentence and a timeline about each invitation. */
export function OrderItems({ order, history, invitationsByItem, timeZone, reviewHref, actions }: Props) {
  const t = useTranslations();
  return (
    <ul aria-label={t("common.items")} className="flex flex-col gap-4">
      {order.items.map((item) => {
        const reviews = history.reviews.filter(({ product_id }) => product_id === item.id);
        const invitation = invitationsByItem.get(item.id);
        const held = history.held.find(({ item_id }) => item_id === item.id);
        return (
          <li
            key={item.id}
            className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5 print:break-inside-avoid print:shadow-none"
          >
            <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
              <div className="min-w-0">
                <h3 className="font-semibold break-words">{item.name ?? item.id}</h3>
                <p className="text-sm break-words text-muted">
                  {item.id} <CopyButton text={item.id} label={t("common.productId")} />{" "}
                  {[
                    item.family_id !== item.id && t("orders.family", { family: item.family_id }),
                    item.category,
                    item.delivery_date
                      ? t("common.deliveryOn", { day: formatDay(item.delivery_date, t.language) })
                      : t("orders.noDeliveryDate"),
                  ]
                    .filter(Boolean)
                    .map((part) => `· ${part}`)
                    .join(" ")}
                </p>
                {(!item.reviewable || held || item.deleted || item.returned) && (
                  <p className="mt-1.5 flex flex-wrap gap-1.5">
                    {!item.reviewable && (
                      <Badge>{t(invitation?.excluded === false ? "orders.notInCatalog" : "orders.excluded")}</Badge>
                    )}
                    {held && (
                      <Badge tone="warn">
                        {held.until
                          ? t("orders.pausedUntil", { day: formatDay(held.until, t.language) })
                          : t("orders.pausedIndefinitely")}
                      </Badge>
                    )}
                    {item.returned && <Badge>{t("orders.returned")}</Badge>}
                    {item.deleted && <Badge>{t("orders.removedFromCatalog")}</Badge>}
                  </p>
                )}
              </div>
              {reviews.map((review) => (
                <Link
                  key={review.id}
                  href={reviewHref(review.id)}
                  className="flex min-h-6 items-center gap-2 text-sm hover:underline"
                >
                  {review.score === null ? <StarsHidden /> : <Stars score={review.score} />}
                  <Badge tone={statusTone[toStatus(review.accepted)]}>
                    {t(statusLabels[toStatus(review.accepted)])}
                  </Badge>
                </Link>
              ))}
            </div>
            {invitation && (
              <>
                <p className="mt-3 flex items-start gap-2.5">
                  <StatusIcon invitation={invitation} reviewed={reviews.length > 0} />
                  <span>{invitation.sentence}</span>
                </p>
                <details className="group mt-3 border-t border-line pt-3" open={order.items.length <= MAX_EXPANDED}>
                  <summary className="-mx-1 inline-flex min-h-6 items-center rounded-control px-1 text-sm font-medium text-muted hover:text-ink">
                    {t("orders.timeline")}
                  </summary>
                  <ItemTimeline
                    label={t("orders.timelineOf", { name: item.name ?? item.id })}
                    steps={invitation.timeline}
                    timeZone={timeZone}
                  />
                </details>
              </>
            )}
            {actions && invitation && (
              <ItemActions
                clientId={actions.clientId}
                orderId={order.id}
                recipient={actions.recipient}
                item={{ id: item.id, name: item.name ?? item.id }}
                timeZone={timeZone}
                today={actions.today}
                actions={invitation.actions}
                excluded={invitation.excluded}
                sendableLater={invitation.sendableLater}
                mayExclude={actions.mayExclude}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The sentence's meaning as an icon. */
function StatusIcon({ invitation, reviewed }: { invitation: ItemInvitation; reviewed: boolean }) {
  const [Icon, tone] = reviewed
    ? [Star, "bg-good-soft text-good"]
    : invitation.reason === "already_invited"
      ? [Send, "bg-accent-soft text-accent"]
      : invitation.reason === null
        ? [CalendarClock, "bg-accent-soft text-accent"]
        : invitation.day !== null
          ? [Clock, "bg-warn-soft text-warn"]
          : [CircleSlash, "bg-sunken text-muted"];
  return (
    <span className={clsx("mt-px flex size-6 shrink-0 items-center justify-center rounded-full", tone)}>
      <Icon aria-hidden="true" className="size-3.5" />
    </span>
  );
}
