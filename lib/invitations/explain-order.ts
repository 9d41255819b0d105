import { type ClientRow, timeZoneOf } from "@/lib/clients/get-client";
import { dayIn, now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { seconds } from "@/lib/http/seconds";
import { reminderDay } from "@/lib/invitations/claim-reminders";
import { addDays, type Day } from "@/lib/invitations/days";
import { nobodySends } from "@/lib/invitations/nobody-sends";
import {
  asksSellerOnly,
  type HeldReason,
  nextSendMoment,
  rulesOf,
  type SendRules,
  sendHoursOf,
} from "@/lib/invitations/rules";
import { dayInWords, sentenceOf, withSender } from "@/lib/invitations/sentences";
import { type Fate, keyOf, simulateNow } from "@/lib/invitations/simulate";
import { type LineRow, type MailRow, selectLinesOfOrder, selectMailsOfOrder } from "./explain-sql";
import { type JudgedItem, selectOrderPlan } from "./plan-sql";

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
  /** what happened to it and what will, oldest first */
  timeline: Step[];
};

/** So far ahead a mail is foreseen. */
const AHEAD_DAYS = 4_000;

/**
 * By item id, what the planner makes of each item of an order: by the very rules that the next run follows, and for days
 * ahead as if nothing more happened. The day's limit is judged by the mails that are out already, not by those of other
 * customers that are due too. Empty for an unknown order.
 */
export async function explainOrder(client: ClientRow, orderId: string): Promise<Map<string, Explained>> {
  const zone = timeZoneOf(client);
  const rules = rulesOf(client);
  const days = { today: dayIn(zone), judged: dayIn(zone, nextSendMoment(sendHoursOf(client.config), zone, now())) };
  const [judged, lines, mails, stuck] = await Promise.all([
    selectOrderPlan(pool(), client.id, rules, days.judged, orderId),
    selectLinesOfOrder(pool(), client.id, orderId),
    selectMailsOfOrder(pool(), client.id, orderId),
    nobodySends(client),
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
      sentence:
        sentAlready(own, reminders, zone, days.today, stuck) ??
        withSender(sentenceOf({ reason, until, closes, ...(fate && { fate }) }, rules, days), stuck && !!fate?.day),
      timeline: timelineOf(item, line, own, fate, { zone, today: days.today, reminders }),
    });
  }
  return told;
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

/** Of an item that was asked for: what became of the mail, and of its reminder. Null where there is none. */
function sentAlready(
  mails: MailRow[],
  reminders: Map<string, Day>,
  zone: string,
  today: Day,
  stuck: boolean,
): string | null {
  const mail = mails.find(({ kind }) => kind !== "reminder");
  if (!mail) return null;
  if (mail.sent_at === null) {
    if (mail.status === "failed")
      return `Was not sent: ${mail.handed_at ? "your own sender" : "the mail service"} did not take the mail.`;
    const planned = `its mail was planned on ${dayInWords(dayIn(zone, mail.claimed_at))}.`;
    return stuck ? withSender(`Is not sent yet: ${planned}`, true) : `Is being sent: ${planned}`;
  }
  const verb = mail.handed_at ? "handed to your own sender" : "sent";
  const what = mail.kind === "seller" ? `A mail about the shop alone was ${verb}` : `Was ${verb}`;
  const sent = `${what} on ${dayInWords(dayIn(zone, mail.sent_at))}`;
  if (mail.untaken) return `${sent}, which has not taken it yet.`;
  if (mail.bounced_at) return `${sent}, and came back: the address takes no mail.`;
  const reminder = mails.find(({ kind, untaken }) => kind === "reminder" && !untaken);
  if (reminder?.sent_at) return `${sent}, and a reminder on ${dayInWords(dayIn(zone, reminder.sent_at))}.`;
  const coming = reminders.get(mail.id);
  if (!coming) return `${sent}.`;
  const when = coming === today ? "today, with the next run" : `on ${dayInWords(coming)}`;
  return `${sent}. A reminder follows ${when} at the earliest, unless the customer answers.`;
}

function timelineOf(
  item: JudgedItem,
  { received_at, held_at, held_until, notes, reviews }: LineRow,
  mails: MailRow[],
  fate: Fate | undefined,
  { zone, today, reminders }: { zone: string; today: Day; reminders: Map<string, Day> },
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
    ...happened(received_at, "The order came in."),
    ...onDay(item.delivery_date, "Delivered.", "To be delivered."),
    ...(open ? onDay(item.opens, "May be asked for.") : []),
    ...(item.reason === "quarantine" ? onDay(item.last_mail, "The customer was sent another mail.") : []),
    // Of what was held back before decisions were noted only the moment is known.
    ...(notes.length === 0 ? happened(held_at, "Held back in the portal.") : []),
    ...notes.flatMap((note) => happened(new Date(note.at), decisionWords(note, note === lastSent && sentByHand))),
    ...(held_at && held_until && held_until > today
      ? [{ day: held_until, at: null, text: "It is no longer held back.", ahead: true }]
      : []),
    ...mails.flatMap((mail) => {
      const which = mail.kind === "reminder" ? "The reminder" : "The mail";
      return [
        ...happened(mail.claimed_at, `${which} was planned.`),
        ...happened(mail.handed_at ?? mail.sent_at, `${which} was ${wentWhere(mail)}.`),
        ...happened(mail.delivered_at, `${which} was delivered.`),
        ...happened(mail.bounced_at, `${which} came back.`),
        ...happened(mail.opened_at, `${which} was opened.`),
        ...happened(mail.clicked_at, "The customer opened the link."),
      ];
    }),
    ...reviews.flatMap(({ at, score }) => happened(new Date(at), `A review came in, ${score} of 5 stars.`)),
    ...mails.flatMap(({ id }) =>
      onDay(
        reminders.get(id) ?? null,
        "A reminder may be sent.",
        "A reminder will be sent, unless the customer answers.",
      ),
    ),
    ...(fate?.seller
      ? [{ day: fate.seller, at: null, text: "The customer will be asked about the shop.", ahead: true }]
      : []),
    ...(open && fate?.day ? [{ day: fate.day, at: null, text: "The mail will be sent.", ahead: true }] : []),
    ...(open ? onDay(item.closes, "The last day to ask for it.") : []),
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

function wentWhere({ handed_at, status }: MailRow): string {
  if (handed_at === null) return "sent";
  return status === "failed" ? "handed to your own sender, which did not take it" : "handed to your own sender";
}

/** `stands`: of a mail that somebody sent, it was not taken back. */
function decisionWords({ action, until, who }: LineRow["notes"][number], stands: boolean): string {
  const by = who === null ? "" : ` by ${who}`;
  if (action === "held") return until ? `Held back${by} until ${dayInWords(until)}.` : `Held back for good${by}.`;
  if (action === "released") return `Let go${by}.`;
  return stands
    ? `Its mail was sent out of turn${by}.`
    : `Its mail was to be sent out of turn${by}, and was taken back.`;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
