import type { Day } from "@/lib/invitations/days";
import type { HeldReason, SendRules } from "@/lib/invitations/rules";
import type { SimulatedItem } from "@/lib/invitations/simulate";
import { english } from "@/lib/platform/i18n/english";
import { formatDay, formatList } from "@/lib/platform/i18n/format";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

export type ItemForecast = {
  reason: HeldReason | null;
  until: Day | null;
  /** the last day of the item's window, if known */
  closes?: Day | null;
  /** of one that can't be reviewed: whether the store or a person excluded it; undefined: not known */
  cancelled?: boolean;
  /**
   * The item's forecast, if simulated; then its day is the email's. Without it, only the first day is known on which
   * today's reason ends.
   */
  simulated?: Pick<SimulatedItem, "day" | "waited" | "reason" | "seller">;
};

/** `nextRun`: the day the forecast applies to; `today`: the client's current day. */
export type Days = { nextRun: Day; today: Day };

/**
 * Explains in one sentence whether and when an item will be invited, or why not, in the language of `t`. The only place
 * with texts for these reasons.
 */
export function explanationText(forecast: ItemForecast, rules: SendRules, days: Days, t: Translate = english): string {
  const seller = forecast.simulated?.seller;
  const own = itemExplanation(forecast, rules, days, t);
  if (!seller) return own;
  const sellerText =
    seller === days.today
      ? t("orders.sellerInvitationToday")
      : t("orders.sellerInvitationOn", { day: formatDay(seller, t.language) });
  return `${own} ${sellerText}`;
}

function itemExplanation(forecast: ItemForecast, rules: SendRules, { nextRun, today }: Days, t: Translate): string {
  const { reason, until, simulated } = forecast;
  const never = reason === null ? null : neverSentText(forecast, reason, rules, t);
  if (never) return t("orders.notSentReason", { reason: never });
  const day = simulated ? simulated.day : (until ?? nextRun);
  const because = reasonTexts(rules, until, t);
  if (day === null) {
    const blockingReason = because[simulated?.reason ?? reason ?? "too_late"] ?? t("orders.reasonOther");
    return t("orders.neverSentReason", { reason: blockingReason });
  }
  const applying = new Set<HeldReason>([
    ...(reason === null ? [] : [reason]),
    ...(Object.keys(simulated?.waited ?? {}) as HeldReason[]),
  ]);
  const reasonLabels = [...applying].flatMap((one) => because[one] ?? []);
  // With a limit, others may be due by then; without a forecast, another reason may follow. So it's the earliest day.
  const earliest = reason === "send_limit" || (!simulated && reason !== null);
  const sentence = scheduleText(day, today, earliest, t);
  if (reasonLabels.length === 0) return `${sentence}.`;
  const reasons = formatList(reasonLabels, t.language);
  return t("orders.sentenceWithReasons", { sentence, reasons });
}

function scheduleText(day: Day, today: Day, earliest: boolean, t: Translate): string {
  if (day === today) return earliest ? t("orders.scheduledTodayEarliest") : t("orders.scheduledToday");
  const on = { day: formatDay(day, t.language) };
  return earliest ? t("orders.scheduledEarliest", on) : t("orders.scheduledOn", on);
}

function neverSentText(
  { until, closes, cancelled }: ItemForecast,
  reason: HeldReason,
  rules: SendRules,
  t: Translate,
): string | null {
  if (reason === "send_limit") return rules.limit === 0 ? t("orders.reasonLimitZero") : null;
  if (until !== null) return null;
  const labels: Partial<Record<HeldReason, string>> = {
    already_invited: t("orders.reasonInvited"),
    already_reviewed: t("orders.reasonReviewed"),
    not_reviewable:
      cancelled === undefined
        ? t("orders.reasonExcluded")
        : t(cancelled ? "orders.reasonExcludedItem" : "orders.reasonNotInCatalog"),
    no_delivery_date: t("orders.reasonNoDeliveryDate"),
    product_deleted: t("orders.reasonProductRemoved"),
    held: t("orders.reasonPausedIndefinitely"),
    no_email: t("orders.reasonNoEmail"),
    opted_out: t("orders.reasonOptedOut"),
    suppressed: t("orders.reasonSuppressed"),
    too_late: closes
      ? t("orders.reasonWindowEndedOn", { day: formatDay(closes, t.language) })
      : t("orders.reasonWindowEnded"),
  };
  return labels[reason] ?? null;
}

/** `until`: the day on which today's reason ends, shown for a pause. */
const reasonTexts = (rules: SendRules, until: Day | null, t: Translate): Partial<Record<HeldReason, string>> => ({
  held: until ? t("orders.reasonPausedUntil", { day: formatDay(until, t.language) }) : t("orders.reasonPaused"),
  too_early: t("orders.reasonTooEarly", {
    n: rules.afterDays,
  }),
  quarantine: t("orders.reasonCooldown", {
    n: rules.quarantineDays,
  }),
  waiting_for_items: t("orders.reasonCombined"),
  send_limit: t("orders.reasonDailyLimit", { n: rules.limit }),
  already_reviewed: t("orders.reasonReviewedRecently"),
});

/** Adds to a sentence, if `stuck`, that no webhook leads to the external sender. */
export const withSenderNotice = (explanation: string, hasNoWebhook: boolean, t: Translate = english): string =>
  hasNoWebhook ? `${explanation} ${t(NO_SENDER)}` : explanation;

export const NO_SENDER: MessageKey = "orders.waitingForSender";
