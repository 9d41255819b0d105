import type { Day } from "@/lib/invitations/days";
import type { HeldReason, SendRules } from "@/lib/invitations/rules";
import type { Fate } from "@/lib/invitations/simulate";

/** A calendar day (`2026-03-08`) as `8 March 2026`. */
export const dayInWords = (day: Day): string => format.format(new Date(`${day}T00:00:00Z`));
const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

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
 * In one plain sentence whether and when an item will be asked for, and if not, why. Every reason of the planner has its
 * words here and nowhere else.
 */
export function sentenceOf(outlook: Outlook, rules: SendRules, days: Days): string {
  const seller = outlook.fate?.seller;
  const own = itemSentence(outlook, rules, days);
  if (!seller) return own;
  const when = seller === days.today ? "today, with the next run" : `on ${dayInWords(seller)}`;
  return `${own} The customer will be asked about the shop alone ${when}.`;
}

function itemSentence(outlook: Outlook, rules: SendRules, { judged, today }: Days): string {
  const { reason, until, fate } = outlook;
  const never = reason === null ? null : neverWords(outlook, reason, rules);
  if (never) return `Not sent because ${never}.`;
  const day = fate ? fate.day : (until ?? judged);
  if (day === null) {
    const kept = fate?.reason ?? reason ?? "too_late";
    return `Will not be sent: ${becauseWords(rules, until)[kept] ?? "something is in the way"}, and by then its time is over.`;
  }
  const because = new Set<HeldReason>([
    ...(reason === null ? [] : [reason]),
    ...(Object.keys(fate?.waited ?? {}) as HeldReason[]),
  ]);
  const whys = [...because].flatMap((one) => becauseWords(rules, until)[one] ?? []);
  const when = day === today ? "today, with the next run" : `on ${dayInWords(day)}`;
  // Of a limit nobody knows today who else will be due by then; without a look ahead something else may follow.
  const earliest = reason === "send_limit" || (!fate && reason !== null) ? " at the earliest" : "";
  return `Will be sent ${when}${earliest}${whys.length > 0 ? `: ${whys.join(", and ")}` : ""}.`;
}

function neverWords({ until, closes }: Outlook, reason: HeldReason, rules: SendRules): string | null {
  if (reason === "send_limit") return rules.limit === 0 ? "no mail may go: the limit a day is 0" : null;
  if (until !== null) return null;
  const words: Partial<Record<HeldReason, string>> = {
    already_invited: "the customer was asked for it already",
    already_reviewed: "the customer has reviewed this item",
    not_reviewable: "the item is cancelled, or not known to the catalogue",
    no_delivery_date: "no delivery date is known",
    product_deleted: "the product is gone from the catalogue",
    held: "somebody held it back for good",
    no_email: "no e-mail address of the customer is known",
    opted_out: "the customer wants no mail",
    suppressed: "mail to this address came back or was complained about",
    too_late: closes ? `the time to ask for it ended on ${dayInWords(closes)}` : "the time to ask for it is over",
  };
  return words[reason] ?? null;
}

/** `until`: the day on which the reason of today ends, which is the first that is told where somebody holds it back. */
const becauseWords = (rules: SendRules, until: Day | null): Partial<Record<HeldReason, string>> => ({
  held: `somebody holds it back${until ? ` until ${dayInWords(until)}` : ""}`,
  too_early: `customers are asked ${count(rules.afterDays, "day")} after delivery`,
  quarantine: `a customer gets one mail in ${count(rules.quarantineDays, "day")}`,
  waiting_for_items: "one mail asks for it and for other items of the customer",
  send_limit: `the limit of ${count(rules.limit, "mail")} a day is used up`,
  already_reviewed: "the customer reviewed this product within the last 180 days",
});

/** A sentence on a mail and, where it is `stuck`, that nothing leads to the sender which is to send it. */
export const withSender = (sentence: string, stuck: boolean): string =>
  stuck ? `${sentence} ${NOBODY_SENDS}` : sentence;

export const NOBODY_SENDS = "It waits until a webhook leads to your own sender: none takes invitation.handed now.";

const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en-GB")} ${noun}${number === 1 ? "" : "s"}`;
