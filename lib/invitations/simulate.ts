import { addDays, type Day } from "@/lib/invitations/days";
import { type HeldReason, type ItemFacts, type PersonFacts, planDay, type SendRules } from "@/lib/invitations/rules";

/** What became of an item: asked for on `day`; or never, for `reason`; or still open when the days were over. */
export type Fate = {
  item: ItemFacts;
  day: Day | null;
  /** why it was never asked for. One whose time ran out while something held it back is told by what held it. */
  reason: HeldReason | null;
  /** days for which each reason kept it after its own day had come */
  waited: Partial<Record<Waiting, number>>;
};
type Waiting = "quarantine" | "waiting_for_items" | "send_limit" | "already_reviewed";
const waits: ReadonlySet<HeldReason> = new Set(["quarantine", "waiting_for_items", "send_limit", "already_reviewed"]);

export type Simulation = { mails: { day: Day; person: string; items: ItemFacts[] }[]; fates: Fate[] };

type Span = {
  from: Day;
  /** the last day, if there is one: what is still open then has neither a day nor a reason */
  to: Day;
  /** mails that are out on the first day already */
  sentToday?: number;
};

/**
 * Lets days pass by the rules: each day what {@link planDay} lets go is sent and puts its people in quarantine. Nobody is
 * looked at before the day that something can have changed for them. Yields after each day, so that a caller with other
 * work can take a breath; the simulation is what the generator returns.
 */
export function* simulate(
  items: ItemFacts[],
  people: ReadonlyMap<string, PersonFacts>,
  rules: SendRules,
  { from, to, sentToday = 0 }: Span,
): Generator<Day, Simulation> {
  const known = new Map(people);
  const fates = new Map(items.map((item) => [item, newFate(item)]));
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  const last = new Map<ItemFacts, { reason: HeldReason; since: Day }>();
  const mails: Simulation["mails"] = [];

  // Items of one person are looked at together; those of nobody each for itself.
  const open = new Map<string, Set<ItemFacts>>();
  const awake = new Map<Day, Set<string>>();
  const wake = (who: string, day: Day) => {
    const day_ = day < from ? from : day;
    const group = awake.get(day_);
    if (group) group.add(who);
    else awake.set(day_, new Set([who]));
  };
  for (const item of items) {
    const who = item.person === null ? `-${keyOf(item)}` : `+${item.person}`;
    const group = open.get(who);
    if (group) group.add(item);
    else open.set(who, new Set([item]));
    wake(who, item.delivery_date === null ? from : addDays(item.delivery_date, rules.afterDays));
  }
  const whoseIs = (item: ItemFacts) => (item.person === null ? `-${keyOf(item)}` : `+${item.person}`);
  const settle = (item: ItemFacts, day: Day) => {
    const before = last.get(item);
    const fate = fates.get(item) as Fate;
    if (before && waits.has(before.reason)) {
      const reason = before.reason as Waiting;
      fate.waited[reason] = (fate.waited[reason] ?? 0) + daysBetween(before.since, day);
    }
    return { fate, before };
  };

  for (let day = from; day <= to && awake.size > 0; day = addDays(day, 1)) {
    const who = awake.get(day);
    awake.delete(day);
    if (who) {
      const looked = [...who].flatMap((one) => [...(open.get(one) ?? [])]);
      const plan = planDay(looked, known, rules, day, day === from ? sentToday : 0);
      for (const { person, items: asked } of plan.send) {
        mails.push({ day, person, items: asked });
        known.set(person, { ...(known.get(person) as PersonFacts), invited: day });
        for (const item of asked) {
          settle(item, day).fate.day = day;
          open.get(`+${person}`)?.delete(item);
        }
        // Whoever has more to be asked for is in quarantine from now on: a look tomorrow says until when.
        if (open.get(`+${person}`)?.size) wake(`+${person}`, addDays(day, 1));
      }
      for (const held of plan.held) {
        const item = byKey.get(keyOf(held)) as ItemFacts;
        const { fate, before } = settle(item, day);
        if (held.until === null && held.reason !== "send_limit") {
          const kept = held.reason === "too_late" && before && waits.has(before.reason) ? before.reason : held.reason;
          fate.reason = kept;
          open.get(whoseIs(item))?.delete(item);
          continue;
        }
        last.set(item, { reason: held.reason, since: day });
        wake(whoseIs(item), held.reason === "send_limit" ? addDays(day, 1) : (held.until as Day));
      }
    }
    yield day;
  }
  return { mails, fates: [...fates.values()] };
}

/** A simulation in one go, for the few items of one person. */
export function simulateNow(...given: Parameters<typeof simulate>): Simulation {
  const days = simulate(...given);
  for (let step = days.next(); ; step = days.next()) if (step.done) return step.value;
}

const newFate = (item: ItemFacts): Fate => ({ item, day: null, reason: null, waited: {} });
export const keyOf = ({ order_id, item_id }: { order_id: string; item_id: string }): string =>
  JSON.stringify([order_id, item_id]);
const daysBetween = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
