import type { Day } from "@/lib/invitations/days";
import type { HeldReason, SendRules } from "@/lib/invitations/rules";
import type { Fate } from "@/lib/invitations/simulate";
import { english, type Words } from "@/lib/platform/i18n/rules";

/** A calendar day (`2026-03-08`) as `8 March 2026`, or as the reader's language writes it. */
export const dayInWords = (day: Day, t: Words = english): string =>
  new Intl.DateTimeFormat(t.locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

export type Outlook = {
  reason: HeldReason | null;
  until: Day | null;
  /** the last day of the item's window, where it is known */
  closes?: Day | null;
  /**
   * What becomes of it if days pass by the rules: told where that was looked at, then its day is the mail's. Without it
   * only the first day is known on which the reason of today ends.
   */
  fate?: Pick<Fate, "day" | "waited" | "reason" | "seller">;
};

/** `judged`: the day of the next run, for which the outlook holds; `today`: the client's day as it is. */
export type Days = { judged: Day; today: Day };

/**
 * In one plain sentence whether and when an item will be asked for, and if not, why, in the language of `t`. Every reason
 * of the planner has its words here and nowhere else.
 */
export function sentenceOf(outlook: Outlook, rules: SendRules, days: Days, t: Words = english): string {
  const seller = outlook.fate?.seller;
  const own = itemSentence(outlook, rules, days, t);
  if (!seller) return own;
  const shop =
    seller === days.today
      ? t("The customer will be asked about the shop alone today, with the next run.")
      : t("The customer will be asked about the shop alone on {day}.", { day: dayInWords(seller, t) });
  return `${own} ${shop}`;
}

function itemSentence(outlook: Outlook, rules: SendRules, { judged, today }: Days, t: Words): string {
  const { reason, until, fate } = outlook;
  const never = reason === null ? null : neverWords(outlook, reason, rules, t);
  if (never) return t("Not sent because {reason}.", { reason: never });
  const day = fate ? fate.day : (until ?? judged);
  const because = becauseWords(rules, until, t);
  if (day === null) {
    const kept = because[fate?.reason ?? reason ?? "too_late"] ?? t("something is in the way");
    return t("Will not be sent: {reason}, and by then its time is over.", { reason: kept });
  }
  const reasons = new Set<HeldReason>([
    ...(reason === null ? [] : [reason]),
    ...(Object.keys(fate?.waited ?? {}) as HeldReason[]),
  ]);
  const whys = [...reasons].flatMap((one) => because[one] ?? []);
  // Of a limit nobody knows today who else will be due by then; without a look ahead something else may follow.
  const earliest = reason === "send_limit" || (!fate && reason !== null);
  const sentence = whenWords(day, today, earliest, t);
  if (whys.length === 0) return `${sentence}.`;
  const together = whys.reduce((before, next) => t("{before}, and {next}", { before, next }));
  return t("{sentence}: {reasons}.", { sentence, reasons: together });
}

function whenWords(day: Day, today: Day, earliest: boolean, t: Words): string {
  if (day === today)
    return earliest
      ? t("Will be sent today, with the next run at the earliest")
      : t("Will be sent today, with the next run");
  const on = { day: dayInWords(day, t) };
  return earliest ? t("Will be sent on {day} at the earliest", on) : t("Will be sent on {day}", on);
}

function neverWords({ until, closes }: Outlook, reason: HeldReason, rules: SendRules, t: Words): string | null {
  if (reason === "send_limit") return rules.limit === 0 ? t("no mail may go: the limit a day is 0") : null;
  if (until !== null) return null;
  const words: Partial<Record<HeldReason, string>> = {
    already_invited: t("the customer was asked for it already"),
    already_reviewed: t("the customer has reviewed this item"),
    not_reviewable: t("the item is cancelled, or not known to the catalogue"),
    no_delivery_date: t("no delivery date is known"),
    product_deleted: t("the product is gone from the catalogue"),
    held: t("somebody held it back for good"),
    no_email: t("no e-mail address of the customer is known"),
    opted_out: t("the customer wants no mail"),
    suppressed: t("mail to this address came back or was complained about"),
    too_late: closes
      ? t("the time to ask for it ended on {day}", { day: dayInWords(closes, t) })
      : t("the time to ask for it is over"),
  };
  return words[reason] ?? null;
}

/** `until`: the day on which the reason of today ends, which is the first that is told where somebody holds it back. */
const becauseWords = (rules: SendRules, until: Day | null, t: Words): Partial<Record<HeldReason, string>> => ({
  held: until ? t("somebody holds it back until {day}", { day: dayInWords(until, t) }) : t("somebody holds it back"),
  too_early: t("customers are asked {n} day after delivery|customers are asked {n} days after delivery", {
    n: rules.afterDays,
  }),
  quarantine: t("a customer gets one mail in {n} day|a customer gets one mail in {n} days", {
    n: rules.quarantineDays,
  }),
  waiting_for_items: t("one mail asks for it and for other items of the customer"),
  send_limit: t("the limit of {n} mail a day is used up|the limit of {n} mails a day is used up", { n: rules.limit }),
  already_reviewed: t("the customer reviewed this product within the last 180 days"),
});

/** A sentence on a mail and, where it is `stuck`, that nothing leads to the sender which is to send it. */
export const withSender = (sentence: string, stuck: boolean, t: Words = english): string =>
  stuck ? `${sentence} ${t(NOBODY_SENDS)}` : sentence;

export const NOBODY_SENDS = "It waits until a webhook leads to your own sender: none does now.";
