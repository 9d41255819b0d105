import { DEFAULT_QUARANTINE_DAYS } from "@/lib/accounts/stores/rules";
import { addDays, type Day } from "@/lib/invitations/days";

/**
 * When an order's item is invited, or why and until when it isn't. Pure; days are calendar days in the client's time
 * zone. `rules-sql.ts`, `due-sql.ts` and `seller-sql.ts` implement the same over whole tables; a property test compares
 * them.
 */

/**
 * Why an item isn't invited, in the order of the checks; the first that applies is returned. Exceptions: an item with
 * its own review is `already_reviewed` after `already_invited` only, and one paused until a day is `held`, with that
 * day, after `too_late`.
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

/**
 * Why no item of an order was or will be invited: one of these, `excluded` instead of `not_reviewable` if the store or a
 * person excluded it, or the email failed.
 */
export type NotInvitedReason = HeldReason | "excluded" | "failed";

/** Days until a product the customer reviewed may be asked about again. */
export const REVIEW_INTERVAL_DAYS = 180;
/** Maximum days a due item waits for others of the customer, to combine them in one email. */
export const MERGE_DAYS = 3;
/** Days an invitation's link works after sending. */
export const LINK_DAYS = 180;

/** A reminder not sent within this many days of its day is dropped. */
export const REMINDER_WINDOW_DAYS = 30;

/** The client's settings that apply. `limit` is emails per day, with the contract's cap applied. */
export type SendRules = { afterDays: number; beforeDays: number; quarantineDays: number; limit: number };

/**
 * The data on one order item. `reviewed` is the last day its customer reviewed the product; `answered`: this item has
 * its own review, so it is never invited.
 */
export type ItemFacts = {
  order_id: string;
  item_id: string;
  delivery_date: Day | null;
  reviewable: boolean;
  /** paused indefinitely */
  held: boolean;
  /** or paused until this day, on which it may be invited again */
  held_until: Day | null;
  invited: boolean;
  answered: boolean;
  product_deleted: boolean;
  /** excluded by the store, which doesn't apply to every item that can't be reviewed */
  cancelled: boolean;
  reviewed: Day | null;
  /** the address that identifies the person; all customer ids with it are one customer */
  person: string | null;
};

/**
 * The data on a person, across all customer ids with the address. `invited` is the day of the last email, `rated_shop`
 * the last day they reviewed the store.
 */
export type PersonFacts = { opted_out: boolean; suppressed: boolean; invited: Day | null; rated_shop: Day | null };

/**
 * An item that isn't invited. `until` is the first day the reason no longer applies; null = it never ends by itself.
 */
export type HeldItem = { order_id: string; item_id: string; reason: HeldReason; until: Day | null };

type Evaluation = {
  /** null: the item itself can be invited */
  reason: HeldReason | null;
  until: Day | null;
  /** the first and last day on which the item can be invited; null if there is none */
  ready: Day | null;
  closes: Day | null;
};

/** About a century: larger settings mean "always", and sums of days stay valid. */
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

/** Evaluates one item, before other items of the customer and the day's limit. */
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
  const reviewableAgain = item.reviewed && addDays(item.reviewed, REVIEW_INTERVAL_DAYS);
  const cooldownEnds = person.invited && addDays(person.invited, rules.quarantineDays);
  if (today > closes) return never("too_late");
  const ready = latest(opens, reviewableAgain, cooldownEnds, item.held_until);
  if (item.held_until && item.held_until > today) return { reason: "held", until: item.held_until, ready, closes };
  if (reviewableAgain && reviewableAgain > today)
    return { reason: "already_reviewed", until: reviewableAgain, ready, closes };
  if (opens > today) return { reason: "too_early", until: opens, ready, closes };
  if (cooldownEnds && cooldownEnds > today) return { reason: "quarantine", until: cooldownEnds, ready, closes };
  return { reason: null, until: null, ready, closes };
}

/**
 * The day that one person's due items wait for, or null to send now. They wait for another item that is ready within
 * three days of the oldest one's due day, never past the end of the oldest one's window.
 */
export function dayToWaitFor(due: Evaluation[], others: Evaluation[], today: Day): Day | null {
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

/**
 * Plans a client's items for one day, with `sentToday` emails already sent: which are sent, and why others are held.
 */
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
    const until = dayToWaitFor(due.map(evaluationOf), others.map(evaluationOf), today);
    if (until !== null) for (const { item } of due) hold(item, "waiting_for_items", until);
    else ready.push({ person, items: due.map(({ item }) => item) });
  }

  // Oldest delivery first. Emails over the limit move to the following days, as many per day.
  ready.sort((a, b) => byDeliveryDate(a.items[0] as ItemFacts, b.items[0] as ItemFacts));
  const remaining = Math.max(0, rules.limit - sentToday);
  plan.send = ready.slice(0, remaining);
  for (const [index, group] of ready.slice(remaining).entries()) {
    const until = rules.limit > 0 ? addDays(today, 1 + Math.floor(index / rules.limit)) : null;
    for (const item of group.items) hold(item, "send_limit", until);
  }
  return plan;
}

/** The rules for manual sending: items need not wait, but must be delivered. */
export const manualSendRules = (rules: SendRules): SendRules => ({ ...rules, afterDays: 0 });

/**
 * Plans manual sending of some items of one person; `items` are all of theirs. The usual rules apply, except the wait
 * after delivery and for other items. The person's other due items are included, since it is the only email of the
 * cooldown. `held` contains the wanted items that aren't sent, with the reason.
 */
export function planManualSend(
  items: ItemFacts[],
  isRequested: (item: ItemFacts) => boolean,
  person: PersonFacts | null,
  rules: SendRules,
  today: Day,
  sentToday: number,
): { send: ItemFacts[]; held: HeldItem[] } {
  const held: HeldItem[] = [];
  const hold = ({ order_id, item_id }: ItemFacts, reason: HeldReason, until: Day | null) =>
    held.push({ order_id, item_id, reason, until });
  const toSend: ItemFacts[] = [];
  for (const item of items.filter(isRequested).toSorted(byDeliveryDate)) {
    const { reason, until } = evaluateItem(item, person, manualSendRules(rules), today);
    if (reason) hold(item, reason, until);
    else toSend.push(item);
  }
  if (toSend.length === 0) return { send: [], held };
  if (sentToday >= rules.limit) {
    for (const item of toSend) hold(item, "send_limit", rules.limit > 0 ? addDays(today, 1) : null);
    return { send: [], held };
  }
  const otherDueItems = items.filter(
    (item) => !isRequested(item) && evaluateItem(item, person, rules, today).reason === null,
  );
  return { send: [...toSend, ...otherDueItems].toSorted(byDeliveryDate), held };
}

/** Whether an item delivered on a day (null: unknown) is in its invitation window today. */
export const isInWindow = (delivered: Day | null, { afterDays, beforeDays }: SendRules, today: Day): boolean =>
  delivered === null || (delivered >= addDays(today, -beforeDays) && delivered <= addDays(today, -afterDays));

/** An email claimed on an earlier day that isn't known to be sent. */
export type UnsentMail = {
  by_hand: boolean;
  /** delivery day of each item it asks about, or represents */
  delivered: (Day | null)[];
  /**
   * For a delegated one: whether it is pending in a webhook that is neither paused nor disabled. Null: Candor sends it.
   */
  pendingDelivery: boolean | null;
};

/**
 * Whether an earlier email goes before new invitations, and so counts for today already. One that no webhook would
 * deliver, or whose window has ended, doesn't.
 */
export const hasPriority = (
  { by_hand, delivered, pendingDelivery }: UnsentMail,
  rules: SendRules,
  today: Day,
): boolean =>
  pendingDelivery === null ||
  (pendingDelivery && delivered.some((day) => isInWindow(day, by_hand ? manualSendRules(rules) : rules, today)));

/** Whether an external sender sends the client's invitations (`config.own_sender`). Those of test stores never leave. */
export const usesExternalSender = (client: { config: Record<string, unknown>; test_days: number | null }): boolean =>
  client.config.own_sender === true && client.test_days === null;

/** Whether the client sends seller-only invitations for orders with nothing else to ask about (`config.seller_only`). */
export const allowsSellerOnly = (client: {
  collect_seller_reviews: boolean;
  config: Record<string, unknown>;
}): boolean => client.collect_seller_reviews && client.config.seller_only === true;

/**
 * The days on which an item can represent its order in a seller-only invitation, or null. It must be delivered, and only
 * its product prevents an invitation: not in the catalog, removed from it, or reviewed so recently that the window ends
 * first.
 */
export function sellerWindow(item: ItemFacts, rules: SendRules): { opens: Day; closes: Day } | null {
  if (item.invited || item.answered || item.held || item.cancelled || item.delivery_date === null) return null;
  const opens = latest(addDays(item.delivery_date, rules.afterDays), item.held_until);
  const closes = addDays(item.delivery_date, rules.beforeDays);
  const isReviewTooRecent = item.reviewed !== null && addDays(item.reviewed, REVIEW_INTERVAL_DAYS) > closes;
  return !item.reviewable || item.product_deleted || isReviewTooRecent ? { opens, closes } : null;
}

/** The first day a seller-only invitation may go to a person, according to earlier emails and reviews. */
export function sellerAvailableFrom({ invited, rated_shop }: PersonFacts, rules: SendRules): Day {
  // At most one email per day, even without a cooldown.
  const mailed = invited && addDays(invited, Math.max(1, rules.quarantineDays));
  return latest(mailed, rated_shop && addDays(rated_shop, REVIEW_INTERVAL_DAYS));
}

/**
 * Plans today's seller-only invitations, for at most `room` people, oldest delivery first: people with no other items to
 * be asked about, now or later, and an order that no email has asked about. Each email represents the returned items.
 */
export function planSellerDay(
  items: ItemFacts[],
  people: ReadonlyMap<string, PersonFacts>,
  rules: SendRules,
  today: Day,
  capacity: number,
): { person: string; items: ItemFacts[] }[] {
  const invitedOrders = new Set(items.flatMap((item) => (item.invited ? [item.order_id] : [])));
  const busy = new Set<string>();
  const due = new Map<string, ItemFacts[]>();
  for (const item of items.toSorted(byDeliveryDate)) {
    const person = item.person === null ? undefined : people.get(item.person);
    if (!person || item.person === null || person.opted_out || person.suppressed) continue;
    const { ready, closes } = evaluateItem(item, person, rules, today);
    if (ready !== null && closes !== null && ready <= closes) busy.add(item.person);
    const window = sellerWindow(item, rules);
    if (!window || invitedOrders.has(item.order_id) || today < window.opens || today > window.closes) continue;
    if (sellerAvailableFrom(person, rules) <= today) due.set(item.person, [...(due.get(item.person) ?? []), item]);
  }
  return [...due].flatMap(([person, items]) => (busy.has(person) ? [] : [{ person, items }])).slice(0, capacity);
}

const evaluationOf = ({ verdict }: { verdict: Evaluation }) => verdict;

/** The latest day; "" (before any day) if there is none. */
const latest = (...days: (Day | null)[]): Day =>
  days.reduce<Day>((found, day) => (day !== null && day > found ? day : found), "");
const earliest = (days: (Day | null)[]): Day | null =>
  days.reduce((found, day) => (day !== null && (found === null || day < found) ? day : found), null);

/** Oldest delivery first, then by ids in byte order, like the database. */
export function byDeliveryDate(a: ItemFacts, b: ItemFacts): number {
  return (
    compare(a.delivery_date ?? "~", b.delivery_date ?? "~") ||
    compareBytes(a.order_id, b.order_id) ||
    compareBytes(a.item_id, b.item_id)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares by code point like UTF-8; JavaScript's string comparison differs for surrogates. */
function compareBytes(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [index, sign] of left.entries()) {
    const difference = (sign.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Hours of the client's day in which emails may be sent: from the first, up to but not including the second. */
export type SendHours = readonly [from: number, to: number];

/** `config.send_hours`, as `[8, 20]` or `"8-20"`; anything else means all day. */
export function sendHoursOf(config: Record<string, unknown>): SendHours {
  const given = config.send_hours;
  const pair = typeof given === "string" ? given.split("-").map((part) => Number.parseInt(part, 10)) : given;
  if (!Array.isArray(pair) || pair.length !== 2) return [0, 24];
  const [from, to] = pair.map(Number) as [number, number];
  return Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= 24 ? [from, to] : [0, 24];
}

/** Returns `moment`, or the next time at which the client's emails may be sent. */
export function nextSendMoment([from, to]: SendHours, timeZone: string, moment: Date): Date {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" });
  const isOpen = (at: Date) => {
    const hour = Number.parseInt(clock.format(at), 10);
    return hour >= from && hour < to;
  };
  if (isOpen(moment)) return moment;
  // Time zone offsets are multiples of 15 minutes; a day can have 25 hours.
  const quarter = 15 * 60_000;
  const next = new Date(Math.ceil((moment.getTime() + 1) / quarter) * quarter);
  while (!isOpen(next)) next.setTime(next.getTime() + quarter);
  return next;
}
