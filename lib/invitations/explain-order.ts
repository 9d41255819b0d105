import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { reminderDay } from "@/lib/invitations/claim-reminders";
import { addDays, type Day } from "@/lib/invitations/days";
import { mailWords, reminderWords } from "@/lib/invitations/explain-words";
import { hasNoSender } from "@/lib/invitations/has-no-sender";
import {
  asksSellerOnly,
  type HeldReason,
  judgeItem,
  nextSendMoment,
  rulesByHand,
  rulesOf,
  type SendRules,
  sendHoursOf,
} from "@/lib/invitations/rules";
import { dayInWords, sentenceOf, withSender } from "@/lib/invitations/sentences";
import { type Fate, keyOf, simulateNow } from "@/lib/invitations/simulate";
import { dayIn, now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { english, type Words } from "@/lib/platform/i18n/rules";
import { seconds } from "@/lib/platform/seconds";
import { type LineRow, type MailRow, selectLinesOfOrder, selectMailsOfOrder } from "./explain-sql";
import { type JudgedItem, selectOrderPlan, selectRoom } from "./plan-sql";

/** One thing that happened to an item, or will. `at` is its moment, where it is known to more than a day. */
export type Step = { day: Day; at: string | null; text: string; ahead: boolean };

export type Explained = {
  /** why it is not asked for as things stand; null = its mail goes with the next run */
  reason: HeldReason | null;
  /** the first day on which the reason no longer holds */
  until: Day | null;
  /** the day of its mail, if days pass by the rules; null = none will come (any more) */
  day: Day | null;
  /** all that in plain words */
  sentence: string;
  /** nothing known is in the way of a mail that somebody sends by hand now */
  sendable: boolean;
  /** the same of the day of its delivery, which is ahead */
  sendableLater: boolean;
  /** what happened to it and what will, oldest first */
  timeline: Step[];
};

/** So far ahead a mail is foreseen. */
const AHEAD_DAYS = 4_000;

/**
 * By item id, what the planner makes of each item of an order: by the very rules that the next run follows, and for days
 * ahead as if nothing more happened. The day's limit is judged by the mails that are out already, not by those of other
 * customers that are due too. Said in the language of `t`. Empty for an unknown order.
 */
export async function explainOrder(
  client: ClientRow,
  orderId: string,
  t: Words = english,
): Promise<Map<string, Explained>> {
  const zone = timeZoneOf(client);
  const rules = rulesOf(client);
  const days = { today: dayIn(zone), judged: dayIn(zone, nextSendMoment(sendHoursOf(client.config), zone, now())) };
  const [judged, lines, mails, stuck, room] = await Promise.all([
    selectOrderPlan(pool(), client.id, rules, days.judged, orderId),
    selectLinesOfOrder(pool(), client.id, orderId),
    selectMailsOfOrder(pool(), client.id, orderId),
    hasNoSender(client),
    selectRoom(pool(), client.id, rules, days.today),
  ]);
  const fates = foresee(judged, rules, days.judged, asksSellerOnly(client));
  const reminders = new Map<string, Day>();
  for (const { id, kind, status, day } of mails) {
    const reminder =
      kind === "invitation" && status === "sent" ? await reminderDay(client, id, day, days.judged) : null;
    if (reminder) reminders.set(id, reminder);
  }
  const told = new Map<string, Explained>();
  for (const line of lines) {
    const item = judged.find(({ order_id, item_id }) => order_id === orderId && item_id === line.item_id);
    if (!item) continue; // posted between the statements: the next look has it
    const fate = fates.get(keyOf(item));
    const own = mails.filter(({ item_ids }) => item_ids.includes(line.item_id));
    const { reason, until, closes } = item;
    told.set(line.item_id, {
      reason,
      until,
      day: fate?.day ?? null,
      sendable: !stuck && room > 0 && isSendable(item, rules, days.today),
      sendableLater:
        !stuck &&
        rules.limit > 0 &&
        reason === "too_early" &&
        item.delivery_date !== null &&
        item.delivery_date > days.today &&
        isSendable(item, rules, item.delivery_date),
      sentence:
        sentAlready(own, reminders, { zone, today: days.today, stuck, t }) ??
        withSender(
          sentenceOf({ reason, until, closes, ...(fate && { fate }) }, rules, days, t),
          stuck && !!fate?.day,
          t,
        ),
      timeline: timelineOf(item, line, own, fate, { zone, today: days.today, reminders, t }),
    });
  }
  return told;
}

/** Whether sending it by hand would not be refused, by the rules of `planByHand` and where the day's limit has room. */
function isSendable(item: JudgedItem, rules: SendRules, today: Day): boolean {
  const person = item.person === null ? null : { ...item, invited: item.last_mail };
  const { reason } = judgeItem(item, person, rulesByHand(rules), today);
  return reason === null;
}

/** What becomes of the items of one person, if days pass by the rules and nothing else happens. */
function foresee(judged: JudgedItem[], rules: SendRules, today: Day, sellerOnly: boolean): Map<string, Fate> {
  const people = new Map(
    judged.flatMap(({ person, opted_out, suppressed, last_mail, rated_shop }) =>
      person === null ? [] : [[person, { opted_out, suppressed, invited: last_mail, rated_shop }] as const],
    ),
  );
  const limited = judged.some(({ reason }) => reason === "send_limit");
  if (rules.limit === 0) return new Map();
  const { fates } = simulateNow(judged, people, rules, {
    from: today,
    to: addDays(today, AHEAD_DAYS),
    sentToday: limited ? rules.limit : 0,
    sellerOnly,
  });
  return new Map(fates.map((fate) => [keyOf(fate.item), fate]));
}

type Telling = { zone: string; today: Day; t: Words };

/** Of an item that was asked for: what became of the mail, and of its reminder. Null where there is none. */
function sentAlready(
  mails: MailRow[],
  reminders: Map<string, Day>,
  { zone, today, stuck, t }: Telling & { stuck: boolean },
): string | null {
  const mail = mails.find(({ kind }) => kind !== "reminder");
  if (!mail) return null;
  const on = (at: Date) => ({ day: dayInWords(dayIn(zone, at), t) });
  if (mail.sent_at === null) {
    if (mail.status === "failed")
      return mail.handed_at
        ? t("Was not sent: your own sender did not take the mail.")
        : t("Was not sent: the mail service did not take the mail.");
    return stuck
      ? withSender(t("Is not sent yet: its mail was planned on {day}.", on(mail.claimed_at)), true, t)
      : t("Is being sent: its mail was planned on {day}.", on(mail.claimed_at));
  }
  if (mail.untold)
    return withSender(
      t("Is not handed to your own sender yet: its mail was planned on {day}.", on(mail.claimed_at)),
      stuck,
      t,
    );
  const sent = sentWords(mail, on(mail.sent_at), t);
  if (mail.untaken) return t("{sent}, which has not taken it yet.", { sent });
  if (mail.bounced_at) return t("{sent}, and came back: the address takes no mail.", { sent });
  const reminder = mails.find(({ kind, untaken }) => kind === "reminder" && !untaken);
  if (reminder?.sent_at) return t("{sent}, and a reminder on {day}.", { sent, ...on(reminder.sent_at) });
  const coming = reminders.get(mail.id);
  if (!coming) return `${sent}.`;
  return coming === today
    ? t("{sent}. A reminder follows today, with the next run at the earliest, unless the customer answers.", { sent })
    : t("{sent}. A reminder follows on {day} at the earliest, unless the customer answers.", {
        sent,
        day: dayInWords(coming, t),
      });
}

function sentWords({ kind, handed_at }: MailRow, on: { day: string }, t: Words): string {
  if (kind === "seller")
    return handed_at
      ? t("A mail about the shop alone was handed to your own sender on {day}", on)
      : t("A mail about the shop alone was sent on {day}", on);
  return handed_at ? t("Was handed to your own sender on {day}", on) : t("Was sent on {day}", on);
}

function timelineOf(
  item: JudgedItem,
  { received_at, held_at, held_until, notes, reviews }: LineRow,
  mails: MailRow[],
  fate: Fate | undefined,
  { zone, today, reminders, t }: Telling & { reminders: Map<string, Day> },
): Step[] {
  const happened = (at: Date | null, text: string): Step[] =>
    at === null ? [] : [{ day: dayIn(zone, at), at: seconds(at), text, ahead: false }];
  const onDay = (day: Day | null, text: string, coming = text): Step[] =>
    day === null ? [] : [{ day, at: null, text: day > today ? coming : text, ahead: day > today }];
  const asked = mails.length > 0;
  // An item is in one mail at a time: those of earlier decisions were taken back.
  const lastSent = notes.findLast(({ action }) => action === "sent");
  const sentByHand = mails.some(({ by_hand }) => by_hand);
  const open = !asked && (item.until !== null || item.reason === null || item.reason === "send_limit");
  const steps = [
    ...happened(received_at, t("The order came in.")),
    ...onDay(item.delivery_date, t("Delivered."), t("To be delivered.")),
    ...(open ? onDay(item.opens, t("May be asked for.")) : []),
    ...(item.reason === "quarantine" ? onDay(item.last_mail, t("The customer was sent another mail.")) : []),
    // Of what was held back before decisions were noted only the moment is known.
    ...(notes.length === 0 ? happened(held_at, t("Held back in the portal.")) : []),
    ...notes.flatMap((note) => happened(new Date(note.at), decisionWords(note, note === lastSent && sentByHand, t))),
    ...(held_at && held_until && held_until > today
      ? [{ day: held_until, at: null, text: t("It is no longer held back."), ahead: true }]
      : []),
    ...mails.flatMap((mail) => {
      const of = mail.kind === "reminder" ? reminderWords : mailWords;
      return [
        ...happened(mail.claimed_at, t(of.planned)),
        ...happened(mail.untold ? null : (mail.handed_at ?? mail.sent_at), t(of[wentWhere(mail)])),
        ...happened(mail.delivered_at, t(of.delivered)),
        ...happened(mail.bounced_at, t(of.bounced)),
        ...happened(mail.opened_at, t(of.opened)),
        ...happened(mail.clicked_at, t("The customer opened the link.")),
      ];
    }),
    ...reviews.flatMap(({ at, score }) =>
      happened(new Date(at), t("A review came in, {score} of 5 stars.", { score })),
    ),
    ...mails.flatMap(({ id }) =>
      onDay(
        reminders.get(id) ?? null,
        t("A reminder may be sent."),
        t("A reminder will be sent, unless the customer answers."),
      ),
    ),
    ...(fate?.seller
      ? [{ day: fate.seller, at: null, text: t("The customer will be asked about the shop."), ahead: true }]
      : []),
    ...(open && fate?.day ? [{ day: fate.day, at: null, text: t("The mail will be sent."), ahead: true }] : []),
    ...(open ? onDay(item.closes, t("The last day to ask for it.")) : []),
  ];
  return steps
    .map((step, index) => ({ step, index }))
    .sort(
      (a, b) =>
        compare(a.step.day, b.step.day) ||
        Number(a.step.ahead) - Number(b.step.ahead) ||
        compare(a.step.at ?? "", b.step.at ?? "") ||
        a.index - b.index,
    )
    .map(({ step }) => step);
}

function wentWhere({ handed_at, status }: MailRow): "sent" | "handed" | "untaken" {
  if (handed_at === null) return "sent";
  return status === "failed" ? "untaken" : "handed";
}

/** `isStillEligible`: of a mail that somebody sent, it was not taken back. */
function decisionWords({ action, until, who }: LineRow["notes"][number], stands: boolean, t: Words): string {
  const day = until === null ? null : dayInWords(until, t);
  if (who === null) {
    if (action === "held") return day ? t("Held back until {day}.", { day }) : t("Held back for good.");
    if (action === "released") return t("Let go.");
    return stands ? t("Its mail was sent out of turn.") : t("Its mail was to be sent out of turn, and was taken back.");
  }
  if (action === "held")
    return day ? t("Held back by {who} until {day}.", { who, day }) : t("Held back for good by {who}.", { who });
  if (action === "released") return t("Let go by {who}.", { who });
  return stands
    ? t("Its mail was sent out of turn by {who}.", { who })
    : t("Its mail was to be sent out of turn by {who}, and was taken back.", { who });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
