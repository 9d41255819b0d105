import { addDays, type Day } from "@/lib/invitations/days";
import {
  byDeliveryDate,
  type HeldItem,
  type HeldReason,
  type ItemFacts,
  type PersonFacts,
  planDay,
  type SendRules,
} from "@/lib/invitations/rules";
import { type SellerMail, simulateSellerMails } from "@/lib/invitations/simulate-seller";

/** What became of an item: asked for on `day`; or never, for `reason`; or still open when the days were over. */
export type SimulatedItem = {
  item: ItemFacts;
  day: Day | null;
  /** why it was never asked for. One whose time ran out while something held it back is told by what held it. */
  reason: HeldReason | null;
  /** days for which each reason kept it after its own day had come */
  waited: Partial<Record<WaitReason, number>>;
  /** the day of a mail about the shop alone that stands for it; null = there will be none */
  seller: Day | null;
};
type WaitReason = "held" | "quarantine" | "waiting_for_items" | "send_limit" | "already_reviewed";
const waitReasons: ReadonlySet<HeldReason> = new Set([
  "held",
  "quarantine",
  "waiting_for_items",
  "send_limit",
  "already_reviewed",
]);
const isWaiting = (reason: HeldReason): reason is WaitReason => waitReasons.has(reason);

export type Simulation = {
  mails: { day: Day; person: string; items: ItemFacts[] }[];
  /** about the shop alone: what they stand for is not among the items that are asked for */
  seller: SellerMail[];
  simulatedItems: SimulatedItem[];
};

type SimulationOptions = {
  from: Day;
  /** the last day, if there is one: what is still open then has neither a day nor a reason */
  to: Day;
  /** mails that are out on the first day already */
  sentToday?: number;
  /** the client asks about itself alone where an order has nothing else to ask for */
  sellerOnly?: boolean;
};

/**
 * Lets days pass by the rules: each day what {@link planDay} lets go is sent and puts its people in quarantine. Nobody is
 * looked at before the day that something can have changed for them, nor, of those whom the day's limit holds back, who
 * stands too far behind to have their turn. Yields after each day, so that a caller with other work can take a breath;
 * the simulation is what the generator returns.
 */
export function* simulate(
  items: ItemFacts[],
  people: ReadonlyMap<string, PersonFacts>,
  rules: SendRules,
  { from, to, sentToday = 0, sellerOnly = false }: SimulationOptions,
): Generator<Day, Simulation> {
  const currentPeople = new Map(people);
  const fates = new Map(items.map((item) => [item, newSimulatedItem(item)]));
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  const last = new Map<ItemFacts, { reason: HeldReason; since: Day }>();
  const mails: Simulation["mails"] = [];
  // Items of one person are looked at together; those of nobody each for itself.
  const open = new Map<string, Set<ItemFacts>>();
  const checksByDay = new Map<Day, Set<string>>();
  /** who is due and beyond the limit, oldest delivery first */
  let queue: Queued[] = [];

  const scheduleCheck = (who: string, day: Day) => add(checksByDay, day < from ? from : day, who);
  const addWaitedDays = (item: ItemFacts, day: Day): SimulatedItem => {
    const fate = fates.get(item) as SimulatedItem;
    const before = last.get(item);
    if (before && isWaiting(before.reason))
      fate.waited[before.reason] = (fate.waited[before.reason] ?? 0) + daysBetween(before.since, day);
    return fate;
  };
  const hold = (item: ItemFacts, { reason, until }: HeldItem, day: Day) => {
    const before = last.get(item)?.reason;
    const fate = addWaitedDays(item, day);
    last.set(item, { reason, since: day });
    if (until !== null) {
      if (reason !== "send_limit") scheduleCheck(ownerKey(item), until);
      return;
    }
    fate.reason = reason === "too_late" && before && isWaiting(before) ? before : reason;
    open.get(ownerKey(item))?.delete(item);
  };

  for (const item of items) {
    add(open, ownerKey(item), item);
    scheduleCheck(ownerKey(item), item.delivery_date === null ? from : addDays(item.delivery_date, rules.afterDays));
  }
  for (let day = from; day <= to && (checksByDay.size > 0 || queue.length > 0); day = addDays(day, 1)) {
    const dueNow = checksByDay.get(day) ?? new Set<string>();
    checksByDay.delete(day);
    if (dueNow.size > 0 || queue.length > 0) {
      const room = Math.max(0, rules.limit - (day === from ? sentToday : 0));
      const waiting = queue.filter(({ who }) => !dueNow.has(who));
      let queueSize = 2 * room + 50;
      const plan = () => {
        const checked = [...dueNow, ...waiting.slice(0, queueSize).map(({ who }) => who)];
        const group = checked.flatMap((who) => [...(open.get(who) ?? [])]);
        return planDay(group, currentPeople, rules, day, rules.limit - room);
      };
      let planned = plan();
      while (planned.send.length < room && queueSize < waiting.length) {
        queueSize *= 4; // some of those who were looked at have nothing to be asked for any more
        planned = plan();
      }
      for (const { person, items: asked } of planned.send) {
        mails.push({ day, person, items: asked });
        currentPeople.set(person, { ...(currentPeople.get(person) as PersonFacts), invited: day });
        for (const item of asked) {
          addWaitedDays(item, day).day = day;
          open.get(ownerKey(item))?.delete(item);
        }
        // Whoever has more to be asked for is in quarantine from now on: a look tomorrow says until when.
        const who = `+${person}`;
        if (open.get(who)?.size) scheduleCheck(who, addDays(day, 1));
      }
      const limited = new Map<string, Queued>();
      for (const held of planned.held) {
        const item = byKey.get(keyOf(held)) as ItemFacts;
        hold(item, held, day);
        const who = ownerKey(item);
        // Held items come oldest first, so the first of a person is its place.
        if (held.reason === "send_limit" && held.until !== null && !limited.has(who)) limited.set(who, { who, item });
      }
      queue = mergeQueues([...limited.values()], waiting.slice(queueSize));
    }
    yield day;
  }
  // What keeps an item beyond its window and beyond the last day that was looked at keeps it for good.
  for (const fate of fates.values()) {
    const { delivery_date } = fate.item;
    if (fate.day !== null || fate.reason !== null || delivery_date === null) continue;
    if (addDays(delivery_date, rules.beforeDays) <= to) fate.reason = last.get(fate.item)?.reason ?? null;
  }
  // Such mails never keep another one from going: they come after all others, to people who will get no other.
  const seller = sellerOnly
    ? yield* simulateSellerMails({ items, people, known: currentPeople, fates, mails }, rules, { from, to, sentToday })
    : [];
  for (const { day, items: standing } of seller)
    for (const item of standing) (fates.get(item) as SimulatedItem).seller = day;
  return { mails, seller, simulatedItems: [...fates.values()] };
}

type Queued = { who: string; item: ItemFacts };

function mergeQueues(a: Queued[], b: Queued[]): Queued[] {
  if (b.length === 0) return a;
  const both: Queued[] = [];
  let at = 0;
  for (const one of a) {
    while (at < b.length && byDeliveryDate((b[at] as Queued).item, one.item) < 0) both.push(b[at++] as Queued);
    both.push(one);
  }
  for (; at < b.length; at += 1) both.push(b[at] as Queued);
  return both;
}

const ownerKey = (item: ItemFacts): string => (item.person === null ? `-${keyOf(item)}` : `+${item.person}`);

function add<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

/** A simulation in one go, for the few items of one person. */
export function simulateToEnd(...given: Parameters<typeof simulate>): Simulation {
  const days = simulate(...given);
  for (let step = days.next(); ; step = days.next()) if (step.done) return step.value;
}

const newSimulatedItem = (item: ItemFacts): SimulatedItem => ({
  item,
  day: null,
  reason: null,
  waited: {},
  seller: null,
});
export const keyOf = ({ order_id, item_id }: { order_id: string; item_id: string }): string =>
  JSON.stringify([order_id, item_id]);
const daysBetween = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
