import { addDays, type Day } from "@/lib/invitations/days";

/**
 * When an item of an order is asked for, and if not, why not and until when. Pure; days are calendar days in the
 * client's time zone. The planner's SQL (plan-sql.ts) decides the same over whole tables; a property test holds the two
 * against each other.
 */

/**
 * Why an item is not asked for, in the order in which the reasons are looked at: the first that applies is told. An item
 * that has a review of its own is `already_reviewed` before anything else but `already_invited` is looked at; one that is
 * held back until a day is `held` after `too_late`, with that day.
 */
export const heldReasons = [
  "already_invited",
  "not_reviewable",
  "no_delivery_date",
  "product_deleted",
  "held",
  "no_email",
  "opted_out",
  "suppressed",
  "too_late",
  "already_reviewed",
  "too_early",
  "quarantine",
  "waiting_for_items",
  "send_limit",
] as const;
export type HeldReason = (typeof heldReasons)[number];

/** Why nobody was asked about an order, and will not be: one of these, or nobody took its mail. */
export type NotInvitedReason = HeldReason | "failed";

/** Days during which only one mail goes to a customer, where the client sets no other number. */
export const DEFAULT_QUARANTINE_DAYS = 21;
/** A product that the customer reviewed is not asked for again for so long. */
export const REVIEW_INTERVAL_DAYS = 180;
/** So long an item that is due waits for others of the customer, so that one mail asks for all. */
export const MERGE_DAYS = 3;
/** An invitation's link works for so long from sending. */
export const LINK_DAYS = 180;

/** A reminder that could not go within so many days of its day does not go any more. */
export const REMINDER_WINDOW_DAYS = 30;

/** The client's settings that decide. `limit` is mails a day, the contract's cap already applied. */
export type SendRules = { afterDays: number; beforeDays: number; quarantineDays: number; limit: number };

/**
 * What is known of one order item. `reviewed` is the newest day on which its customer reviewed the product; `answered`:
 * there is a review of this very item, so that no day makes it one to ask for.
 */
export type ItemFacts = {
  order_id: string;
  item_id: string;
  delivery_date: Day | null;
  reviewable: boolean;
  /** a person holds it back for good */
  held: boolean;
  /** or until this day, on which it may be asked for again */
  held_until: Day | null;
  invited: boolean;
  answered: boolean;
  product_deleted: boolean;
  /** the merchant took it off the order, which not every item is that cannot be reviewed */
  cancelled: boolean;
  reviewed: Day | null;
  /** address that stands for the person: all customer ids with the same one are one customer */
  person: string | null;
};

/**
 * What is known of a person: of all customer ids that share the address. `invited` is the day of the last mail,
 * `rated_shop` the newest day on which they reviewed the shop.
 */
export type PersonFacts = { opted_out: boolean; suppressed: boolean; invited: Day | null; rated_shop: Day | null };

/** An item that is not asked for. `until` is the first day on which the reason no longer holds; null = no day ends it. */
export type HeldItem = { order_id: string; item_id: string; reason: HeldReason; until: Day | null };

type Evaluation = {
  /** null: nothing about the item itself is in the way */
  reason: HeldReason | null;
  until: Day | null;
  /** the first and the last day on which the item can be asked for; null where no day will make it so */
  ready: Day | null;
  closes: Day | null;
};

/** A century: settings beyond it mean "always", and sums of days stay days that exist. */
const MAX_DAYS = 36_500;

export const rulesOf = (client: {
  send_emails_after_days: number;
  send_emails_before_days: number;
  send_limit: number;
  contract_send_limit: number | null;
  quarantine_period: number | null;
}): SendRules => ({
  afterDays: Math.min(client.send_emails_after_days, MAX_DAYS),
  beforeDays: Math.min(client.send_emails_before_days, MAX_DAYS),
  quarantineDays: Math.min(client.quarantine_period ?? DEFAULT_QUARANTINE_DAYS, MAX_DAYS),
  limit: Math.min(client.send_limit, client.contract_send_limit ?? client.send_limit),
});

/** One item by itself, before others of the customer and the daily limit are looked at. */
export function evaluateItem(item: ItemFacts, person: PersonFacts | null, rules: SendRules, today: Day): Evaluation {
  const never = (reason: HeldReason): Evaluation => ({ reason, until: null, ready: null, closes: null });
  if (item.invited) return never("already_invited");
  if (item.answered) return never("already_reviewed");
  if (!item.reviewable) return never("not_reviewable");
  if (item.delivery_date === null) return never("no_delivery_date");
  if (item.product_deleted) return never("product_deleted");
  if (item.held) return never("held");
  if (!person) return never("no_email");
  if (person.opted_out) return never("opted_out");
  if (person.suppressed) return never("suppressed");

  const opens = addDays(item.delivery_date, rules.afterDays);
  const closes = addDays(item.delivery_date, rules.beforeDays);
  const again = item.reviewed && addDays(item.reviewed, REVIEW_INTERVAL_DAYS);
  const free = person.invited && addDays(person.invited, rules.quarantineDays);
  if (today > closes) return never("too_late");
  const ready = latest(opens, again, free, item.held_until);
  if (item.held_until && item.held_until > today) return { reason: "held", until: item.held_until, ready, closes };
  if (again && again > today) return { reason: "already_reviewed", until: again, ready, closes };
  if (opens > today) return { reason: "too_early", until: opens, ready, closes };
  if (free && free > today) return { reason: "quarantine", until: free, ready, closes };
  return { reason: null, until: null, ready, closes };
}

/**
 * Whether what is due for one person goes out today: the day it waits for, or null to send now. It waits for another
 * item that is ready within three days of the day the oldest became due, never past the day the oldest's window closes.
 */
export function waitingUntil(due: Evaluation[], others: Evaluation[], today: Day): Day | null {
  const oldestReady = earliest(due.map(({ ready }) => ready));
  const oldestCloses = earliest(due.map(({ closes }) => closes));
  if (oldestReady === null || oldestCloses === null) return null;
  const deadline = earliest([addDays(oldestReady, MERGE_DAYS), oldestCloses]) as Day;
  const coming = others.flatMap(({ ready, closes }) =>
    ready && closes && ready > today && ready <= closes && ready <= deadline ? [ready] : [],
  );
  return coming.length > 0 ? latest(...coming) : null;
}

type Plan = { send: { person: string; items: ItemFacts[] }[]; held: HeldItem[] };

/** All items of a client on one day, of which `sentToday` mails are already out: which go, and why the others stay. */
export function planDay(
  items: ItemFacts[],
  people: ReadonlyMap<string, PersonFacts>,
  rules: SendRules,
  today: Day,
  sentToday: number,
): Plan {
  const plan: Plan = { send: [], held: [] };
  const hold = (item: ItemFacts, reason: HeldReason, until: Day | null) =>
    plan.held.push({ order_id: item.order_id, item_id: item.item_id, reason, until });

  const byPerson = new Map<string, { item: ItemFacts; verdict: Evaluation }[]>();
  for (const item of items.toSorted(byDeliveryDate)) {
    const person = item.person === null ? null : (people.get(item.person) ?? null);
    const verdict = evaluateItem(item, person, rules, today);
    if (verdict.reason) hold(item, verdict.reason, verdict.until);
    if (item.person !== null && verdict.ready !== null)
      byPerson.set(item.person, [...(byPerson.get(item.person) ?? []), { item, verdict }]);
  }

  const ready: Plan["send"] = [];
  for (const [person, evaluated] of byPerson) {
    const due = evaluated.filter(({ verdict }) => verdict.reason === null);
    if (due.length === 0) continue;
    const others = evaluated.filter(({ verdict }) => verdict.reason !== null);
    const until = waitingUntil(due.map(evaluationOf), others.map(evaluationOf), today);
    if (until !== null) for (const { item } of due) hold(item, "waiting_for_items", until);
    else ready.push({ person, items: due.map(({ item }) => item) });
  }

  // Oldest delivery first; what is over the limit moves to the days after, as many a day.
  ready.sort((a, b) => byDeliveryDate(a.items[0] as ItemFacts, b.items[0] as ItemFacts));
  const left = Math.max(0, rules.limit - sentToday);
  plan.send = ready.slice(0, left);
  for (const [index, group] of ready.slice(left).entries()) {
    const until = rules.limit > 0 ? addDays(today, 1 + Math.floor(index / rules.limit)) : null;
    for (const item of group.items) hold(item, "send_limit", until);
  }
  return plan;
}

/** The rules for a mail that somebody sends by hand: its items need not wait, but must have been delivered. */
export const rulesByHand = (rules: SendRules): SendRules => ({ ...rules, afterDays: 0 });

/**
 * What comes of sending the mail of some items of one person by hand, `items` being all of theirs. All that holds for
 * other mails holds for it but the wait after delivery and the wait for other items. What else is due for the person goes
 * along: it is the only mail they get in the quarantine. `held` tells of the wanted items that do not go, and why.
 */
export function planByHand(
  items: ItemFacts[],
  wanted: (item: ItemFacts) => boolean,
  person: PersonFacts | null,
  rules: SendRules,
  today: Day,
  sentToday: number,
): { send: ItemFacts[]; held: HeldItem[] } {
  const held: HeldItem[] = [];
  const hold = ({ order_id, item_id }: ItemFacts, reason: HeldReason, until: Day | null) =>
    held.push({ order_id, item_id, reason, until });
  const toSend: ItemFacts[] = [];
  for (const item of items.filter(wanted).toSorted(byDeliveryDate)) {
    const { reason, until } = evaluateItem(item, person, rulesByHand(rules), today);
    if (reason) hold(item, reason, until);
    else toSend.push(item);
  }
  if (toSend.length === 0) return { send: [], held };
  if (sentToday >= rules.limit) {
    for (const item of toSend) hold(item, "send_limit", rules.limit > 0 ? addDays(today, 1) : null);
    return { send: [], held };
  }
  const otherDueItems = items.filter(
    (item) => !wanted(item) && evaluateItem(item, person, rules, today).reason === null,
  );
  return { send: [...toSend, ...otherDueItems].toSorted(byDeliveryDate), held };
}

/** Whether an item that was delivered on a day (null: unknown) may be asked for today, as far as its window goes. */
export const isInWindow = (delivered: Day | null, { afterDays, beforeDays }: SendRules, today: Day): boolean =>
  delivered === null || (delivered >= addDays(today, -beforeDays) && delivered <= addDays(today, -afterDays));

/** A mail that was decided on on an earlier day and that nobody is known to have. */
export type UnsentMail = {
  by_hand: boolean;
  /** when each item was delivered that it asks for, or stands for */
  delivered: (Day | null)[];
  /**
   * Of one that was handed to the merchant's own sender, whether it waits in a webhook that is neither paused nor disabled;
   * null: it is for us to mail.
   */
  waits: boolean | null;
};

/**
 * Whether a mail that was left over goes before anybody is asked anew, and so counts for today already. One that nobody would
 * tell to the merchant's own sender, or that has outlived its window, leaves its place to others.
 */
export const hasPriority = ({ by_hand, delivered, waits }: UnsentMail, rules: SendRules, today: Day): boolean =>
  waits === null || (waits && delivered.some((day) => isInWindow(day, by_hand ? rulesByHand(rules) : rules, today)));

/** Whether invitations are handed to a sender of the merchant's own instead of being mailed (`config.own_sender`). */
export const usesExternalSender = (client: { config: Record<string, unknown> }): boolean =>
  client.config.own_sender === true;

/** Whether the client asks about itself alone where an order has nothing else to ask for (`config.seller_only`). */
export const allowsSellerOnly = (client: {
  collect_seller_reviews: boolean;
  config: Record<string, unknown>;
}): boolean => client.collect_seller_reviews && client.config.seller_only === true;

/**
 * The days on which an item can stand for its order in a mail that asks about the shop alone, or null: it was delivered,
 * and only the product is why it is not asked for. It is unknown to the catalogue, gone from it, or was reviewed so lately
 * that its window closes before it may be asked for again.
 */
export function sellerWindow(item: ItemFacts, rules: SendRules): { opens: Day; closes: Day } | null {
  if (item.invited || item.answered || item.held || item.cancelled || item.delivery_date === null) return null;
  const opens = latest(addDays(item.delivery_date, rules.afterDays), item.held_until);
  const closes = addDays(item.delivery_date, rules.beforeDays);
  const late = item.reviewed !== null && addDays(item.reviewed, REVIEW_INTERVAL_DAYS) > closes;
  return !item.reviewable || item.product_deleted || late ? { opens, closes } : null;
}

/** The first day on which a mail about the shop alone may go to a person, as far as earlier mails and reviews go. */
export function sellerAvailableFrom({ invited, rated_shop }: PersonFacts, rules: SendRules): Day {
  // Whoever got a mail today gets no other one today, even where there is no quarantine.
  const mailed = invited && addDays(invited, Math.max(1, rules.quarantineDays));
  return latest(mailed, rated_shop && addDays(rated_shop, REVIEW_INTERVAL_DAYS));
}

/**
 * Who is asked about the shop alone today, at most `room` people, oldest delivery first: people with nothing else to be
 * asked for, now or later, and an order that no mail has asked about. Their mail stands for the items that are named.
 */
export function planSellerDay(
  items: ItemFacts[],
  people: ReadonlyMap<string, PersonFacts>,
  rules: SendRules,
  today: Day,
  room: number,
): { person: string; items: ItemFacts[] }[] {
  const asked = new Set(items.flatMap((item) => (item.invited ? [item.order_id] : [])));
  const busy = new Set<string>();
  const due = new Map<string, ItemFacts[]>();
  for (const item of items.toSorted(byDeliveryDate)) {
    const person = item.person === null ? undefined : people.get(item.person);
    if (!person || item.person === null || person.opted_out || person.suppressed) continue;
    const { ready, closes } = evaluateItem(item, person, rules, today);
    if (ready !== null && closes !== null && ready <= closes) busy.add(item.person);
    const window = sellerWindow(item, rules);
    if (!window || asked.has(item.order_id) || today < window.opens || today > window.closes) continue;
    if (sellerAvailableFrom(person, rules) <= today) due.set(item.person, [...(due.get(item.person) ?? []), item]);
  }
  return [...due].flatMap(([person, items]) => (busy.has(person) ? [] : [{ person, items }])).slice(0, room);
}

const evaluationOf = ({ verdict }: { verdict: Evaluation }) => verdict;

/** The latest of the days; "" (before any day) where there is none. */
const latest = (...days: (Day | null)[]): Day =>
  days.reduce<Day>((found, day) => (day !== null && day > found ? day : found), "");
const earliest = (days: (Day | null)[]): Day | null =>
  days.reduce((found, day) => (day !== null && (found === null || day < found) ? day : found), null);

/** Oldest delivery first, then by ids in byte order, as the database sorts. */
export function byDeliveryDate(a: ItemFacts, b: ItemFacts): number {
  return (
    compare(a.delivery_date ?? "~", b.delivery_date ?? "~") ||
    compareBytes(a.order_id, b.order_id) ||
    compareBytes(a.item_id, b.item_id)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** UTF-8 sorts by code point; JavaScript's own comparison of strings does not (surrogates). */
function compareBytes(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [index, sign] of left.entries()) {
    const difference = (sign.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Hours of the client's day in which mail may go: from the first, up to but not including the second. */
export type SendHours = readonly [from: number, to: number];

/** `config.send_hours`, as `[8, 20]` or `"8-20"`; anything else means all day. */
export function sendHoursOf(config: Record<string, unknown>): SendHours {
  const given = config.send_hours;
  const pair = typeof given === "string" ? given.split("-").map((part) => Number.parseInt(part, 10)) : given;
  if (!Array.isArray(pair) || pair.length !== 2) return [0, 24];
  const [from, to] = pair.map(Number) as [number, number];
  return Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= 24 ? [from, to] : [0, 24];
}

/** `moment`, or the next one at which the client's mail may go. */
export function nextSendMoment([from, to]: SendHours, timeZone: string, moment: Date): Date {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" });
  const isOpen = (at: Date) => {
    const hour = Number.parseInt(clock.format(at), 10);
    return hour >= from && hour < to;
  };
  if (isOpen(moment)) return moment;
  // Zones are set apart by quarters of an hour; a day can have 25 hours.
  const quarter = 15 * 60_000;
  const next = new Date(Math.ceil((moment.getTime() + 1) / quarter) * quarter);
  while (!isOpen(next)) next.setTime(next.getTime() + quarter);
  return next;
}

/** The public name that is suggested to a customer: first name and initial, as `Anna K.`; "" where there is none. */
export function suggestNickname(name: string | null): string {
  const clean = (name ?? "").replace(/[^\p{L}\p{M}\p{N} ,.'’-]/gu, " ").trim();
  const [family = "", given] = clean.split(",").map((part) => part.trim());
  const words = (given ? `${given} ${family}` : family).split(/\s+/).filter(Boolean);
  const [first, last] = [words[0] ?? "", words.length > 1 ? (words.at(-1) ?? "") : ""];
  const initial = Array.from(last.replace(/[^\p{L}\p{N}]/gu, ""))[0];
  return [capitalized(first), initial ? `${initial.toUpperCase()}.` : ""].filter(Boolean).join(" ");
}

/** Names typed all small or all large, as many order forms bring them, are written as names are. */
function capitalized(name: string): string {
  if (name !== name.toUpperCase() && name !== name.toLowerCase()) return name;
  return name.toLowerCase().replace(/(^|[-'’])\p{L}/gu, (start) => start.toUpperCase());
}
