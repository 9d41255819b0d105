import type { Day } from "@/lib/invitations/days";
import type { HeldReason, SendRules } from "@/lib/invitations/rules";
import type { SimulatedItem } from "@/lib/invitations/simulate";
import { english } from "@/lib/platform/i18n/english";
import { formatDay } from "@/lib/platform/i18n/format";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

export type ItemForecast = {
  reason: HeldReason | null;
  until: Day | null;
  /** the last day of the item's window, where it is known */
  closes?: Day | null;
  /**
   * What becomes of it if days pass by the rules: told where that was looked at, then its day is the mail's. Without it
   * only the first day is known on which the reason of today ends.
   */
  simulated?: Pick<SimulatedItem, "day" | "waited" | "reason" | "seller">;
};

/** `judged`: the day of the next run, for which the outlook holds; `today`: the client's day as it is. */
export type Days = { nextRun: Day; today: Day };

/**
 * In one plain sentence whether and when an item will be asked for, and if not, why, in the language of `t`. Every reason
 * of the planner has its words here and nowhere else.
 */
export function explanationText(outlook: ItemForecast, rules: SendRules, days: Days, t: Translate = english): string {
  const seller = outlook.simulated?.seller;
  const own = itemExplanation(outlook, rules, days, t);
  if (!seller) return own;
  const shop =
    seller === days.today
      ? t("orders.sellerInvitationToday")
      : t("orders.sellerInvitationOn", { day: formatDay(seller, t.locale) });
  return `${own} ${shop}`;
}

function itemExplanation(outlook: ItemForecast, rules: SendRules, { nextRun, today }: Days, t: Translate): string {
  const { reason, until, simulated } = outlook;
  const never = reason === null ? null : neverSentText(outlook, reason, rules, t);
  if (never) return t("orders.notSentReason", { reason: never });
  const day = simulated ? simulated.day : (until ?? nextRun);
  const because = reasonTexts(rules, until, t);
  if (day === null) {
    const blockingReason = because[simulated?.reason ?? reason ?? "too_late"] ?? t("orders.reasonOther");
    return t("orders.neverSentReason", { reason: blockingReason });
  }
  const reasons = new Set<HeldReason>([
    ...(reason === null ? [] : [reason]),
    ...(Object.keys(simulated?.waited ?? {}) as HeldReason[]),
  ]);
  const reasonLabels = [...reasons].flatMap((one) => because[one] ?? []);
  // Of a limit nobody knows today who else will be due by then; without a look ahead something else may follow.
  const earliest = reason === "send_limit" || (!simulated && reason !== null);
  const sentence = scheduleText(day, today, earliest, t);
  if (reasonLabels.length === 0) return `${sentence}.`;
  const together = reasonLabels.reduce((before, next) => t("orders.reasonsJoined", { before, next }));
  return t("orders.sentenceWithReasons", { sentence, reasons: together });
}

function scheduleText(day: Day, today: Day, earliest: boolean, t: Translate): string {
  if (day === today) return earliest ? t("orders.scheduledTodayEarliest") : t("orders.scheduledToday");
  const on = { day: formatDay(day, t.locale) };
  return earliest ? t("orders.scheduledEarliest", on) : t("orders.scheduledOn", on);
}

function neverSentText(
  { until, closes }: ItemForecast,
  reason: HeldReason,
  rules: SendRules,
  t: Translate,
): string | null {
  if (reason === "send_limit") return rules.limit === 0 ? t("orders.reasonLimitZero") : null;
  if (until !== null) return null;
  const words: Partial<Record<HeldReason, string>> = {
    already_invited: t("orders.reasonInvited"),
    already_reviewed: t("orders.reasonReviewed"),
    not_reviewable: t("orders.reasonExcluded"),
    no_delivery_date: t("orders.reasonNoDeliveryDate"),
    product_deleted: t("orders.reasonProductRemoved"),
    held: t("orders.reasonPausedIndefinitely"),
    no_email: t("orders.reasonNoEmail"),
    opted_out: t("orders.reasonOptedOut"),
    suppressed: t("orders.reasonSuppressed"),
    too_late: closes
      ? t("orders.reasonWindowEndedOn", { day: formatDay(closes, t.locale) })
      : t("orders.reasonWindowEnded"),
  };
  return words[reason] ?? null;
}

/** `until`: the day on which the reason of today ends, which is the first that is told where somebody holds it back. */
const reasonTexts = (rules: SendRules, until: Day | null, t: Translate): Partial<Record<HeldReason, string>> => ({
  held: until ? t("orders.reasonPausedUntil", { day: formatDay(until, t.locale) }) : t("orders.reasonPaused"),
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

/** A sentence on a mail and, where it is `stuck`, that nothing leads to the sender which is to send it. */
export const withSenderNotice = (sentence: string, stuck: boolean, t: Translate = english): string =>
  stuck ? `${sentence} ${t(NO_SENDER)}` : sentence;

export const NO_SENDER: MessageKey = "orders.waitingForSender";
