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

/** An item's result: invited on `day`; or never, for `reason`; or still open at the end. */
export type SimulatedItem = {
  item: ItemFacts;
  day: Day | null;
  /** why it was never invited; if its window ended while something held it, that reason */
  reason: HeldReason | null;
  /** days each reason delayed it after its own first day */
  waited: Partial<Record<WaitReason, number>>;
  /** the day of a seller-only invitation that represents it; null = none */
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
  /** seller-only; the items they represent don't count as invited */
  seller: SellerMail[];
  simulatedItems: SimulatedItem[];
};

type SimulationOptions = {
  from: Day;
  /** the last day, if any: items open then have neither a day nor a reason */
  to: Day;
  /** emails already sent on the first day */
  sentToday?: number;
  /** the client sends seller-only invitations for orders with nothing else to ask about */
  sellerOnly?: boolean;
};

/**
 * Simulates days by the rules: each day sends what {@link planDay} allows and starts those people's cooldowns. Checks a
 * person only when something can have changed for them, and of those over the day's limit only as many as can have
 * their turn. Yields after each day, so that callers can do other work; returns the simulation.
 */
export function* simulate(
  items: ItemFacts[],
  people: ReadonlyMap<string, PersonFacts>,
  rules: SendRules,
  { from, to, sentToday = 0, sellerOnly = false }: SimulationOptions,
): Generator<Day, Simulation> {
  const currentPeople = new Map(people);
  const simulatedByItem = new Map(items.map((item) => [item, newSimulatedItem(item)]));
  const byKey = new Map(items.map((item) => [simulatedItemKey(item), item]));
  const last = new Map<ItemFacts, { reason: HeldReason; since: Day }>();
  const mails: Simulation["mails"] = [];
  // Items of one person are checked together; items without a person individually.
  const open = new Map<string, Set<ItemFacts>>();
  const checksByDay = new Map<Day, Set<string>>();
  /** people who are due and over the limit, oldest delivery first */
  let queue: Queued[] = [];

  const scheduleCheck = (owner: string, day: Day) => add(checksByDay, day < from ? from : day, owner);
  const addWaitedDays = (item: ItemFacts, day: Day): SimulatedItem => {
    const simulated = simulatedByItem.get(item) as SimulatedItem;
    const before = last.get(item);
    if (before && isWaiting(before.reason))
      simulated.waited[before.reason] = (simulated.waited[before.reason] ?? 0) + daysBetween(before.since, day);
    return simulated;
  };
  const hold = (item: ItemFacts, { reason, until }: HeldItem, day: Day) => {
    const before = last.get(item)?.reason;
    const simulated = addWaitedDays(item, day);
    last.set(item, { reason, since: day });
    if (until !== null) {
      if (reason !== "send_limit") scheduleCheck(ownerKey(item), until);
      return;
    }
    simulated.reason = reason === "too_late" && before && isWaiting(before) ? before : reason;
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
      const capacity = Math.max(0, rules.limit - (day === from ? sentToday : 0));
      const notDueToday = queue.filter(({ who }) => !dueNow.has(who));
      let queueSize = 2 * capacity + 50;
      const plan = () => {
        const checked = [...dueNow, ...notDueToday.slice(0, queueSize).map(({ who }) => who)];
        const group = checked.flatMap((owner) => [...(open.get(owner) ?? [])]);
        return planDay(group, currentPeople, rules, day, rules.limit - capacity);
      };
      let planned = plan();
      while (planned.send.length < capacity && queueSize < notDueToday.length) {
        queueSize *= 4; // some of those checked have no eligible items any more
        planned = plan();
      }
      for (const { person, items: sentItems } of planned.send) {
        mails.push({ day, person, items: sentItems });
        currentPeople.set(person, { ...(currentPeople.get(person) as PersonFacts), invited: day });
        for (const item of sentItems) {
          addWaitedDays(item, day).day = day;
          open.get(ownerKey(item))?.delete(item);
        }
        // Remaining items are now in the cooldown; a check tomorrow determines until when.
        const owner = `+${person}`;
        if (open.get(owner)?.size) scheduleCheck(owner, addDays(day, 1));
      }
      const limited = new Map<string, Queued>();
      for (const held of planned.held) {
        const item = byKey.get(simulatedItemKey(held)) as ItemFacts;
        hold(item, held, day);
        const owner = ownerKey(item);
        // Held items are sorted oldest first, so a person's first one is its place.
        if (held.reason === "send_limit" && held.until !== null && !limited.has(owner))
          limited.set(owner, { who: owner, item });
      }
      queue = mergeQueues([...limited.values()], notDueToday.slice(queueSize));
    }
    yield day;
  }
  // A reason that lasts past an item's window and the last day is final.
  for (const simulated of simulatedByItem.values()) {
    const { delivery_date } = simulated.item;
    if (simulated.day !== null || simulated.reason !== null || delivery_date === null) continue;
    if (addDays(delivery_date, rules.beforeDays) <= to) simulated.reason = last.get(simulated.item)?.reason ?? null;
  }
  // Seller-only invitations never block others: they come last, for people who get no other email.
  const seller = sellerOnly
    ? yield* simulateSellerMails(
        { items, people, finalPeople: currentPeople, results: simulatedByItem, mails },
        rules,
        {
          from,
          to,
          sentToday,
        },
      )
    : [];
  for (const { day, items: representedItems } of seller)
    for (const item of representedItems) (simulatedByItem.get(item) as SimulatedItem).seller = day;
  return { mails, seller, simulatedItems: [...simulatedByItem.values()] };
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

const ownerKey = (item: ItemFacts): string => (item.person === null ? `-${simulatedItemKey(item)}` : `+${item.person}`);

function add<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

/** A simulation without yielding, for the few items of one person. */
export function simulateToEnd(...args: Parameters<typeof simulate>): Simulation {
  const days = simulate(...args);
  for (let step = days.next(); ; step = days.next()) if (step.done) return step.value;
}

const newSimulatedItem = (item: ItemFacts): SimulatedItem => ({
  item,
  day: null,
  reason: null,
  waited: {},
  seller: null,
});
export const simulatedItemKey = ({ order_id, item_id }: { order_id: string; item_id: string }): string =>
  JSON.stringify([order_id, item_id]);
const daysBetween = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
