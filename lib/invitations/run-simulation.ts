import { setImmediate as nextTurn } from "node:timers/promises";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { reminderDaysOf } from "@/lib/invitations/claim-reminders";
import { addDays, type Day } from "@/lib/invitations/days";
import {
  allowsSellerOnly,
  type HeldReason,
  heldReasons,
  type PersonFacts,
  rulesOf,
  type SendRules,
} from "@/lib/invitations/rules";
import type { SendSettings } from "@/lib/invitations/schema";
import { type Simulation, simulate } from "@/lib/invitations/simulate";
import { dayIn, now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { type SimulationItem, selectSimulationItems, selectSimulationPeople } from "./simulation-sql";

/** The result for the orders under some settings. */
export type SimulationSummary = {
  /** all that count toward the limit; `seller_mails` of them are seller-only */
  mails: number;
  seller_mails: number;
  /**
   * additional reminders if nobody responded, so the maximum; 0 if the client sends none. Not included in `mails`, and
   * not part of cooldown and limit.
   */
  reminders: number;
  /** items they ask about, without those a seller-only invitation represents */
  items: number;
  /** each day with emails, oldest first */
  by_day: { day: Day; mails: number; items: number }[];
  /** items never invited, by reason, most first; examples are from different orders */
  held: { reason: HeldReason; items: number; examples: { order_id: string; item_id: string }[] }[];
  /** items invited later than their own first day, by reason; `days`: total delay */
  late: { reason: HeldReason; items: number; days: number }[];
  /** items still undecided at the end of the simulated days */
  open: number;
};

export type SettingsSimulation = {
  /** the simulated deliveries; `from` is later than requested if there are too many */
  from: Day;
  to: Day;
  items: number;
  present: SimulationSummary;
  /** under the changed settings; null if none were changed */
  changed: SimulationSummary | null;
};

/** Maximum items simulated at once: a few hundred megabytes. */
const MAX_ITEMS = 200_000;
const MAX_EXAMPLES = 5;

/**
 * Simulates the orders of the last `days` days from the first of these days, as far ahead as their emails would be
 * sent, under the current settings and under changed ones. Uses today's state of opt-outs and cancelled items; ignores
 * the emails really sent in these days and the reviews they led to. Read-only.
 */
export async function runSimulation(
  client: ClientRow,
  { days, settings }: { days: number; settings: SendSettings },
): Promise<SettingsSimulation> {
  const to = dayIn(timeZoneOf(client));
  const requestedFrom = addDays(to, 1 - days);
  const since = new Date(now().getTime() - days * 86_400_000);
  const found = await selectSimulationItems(pool(), client.id, { from: requestedFrom, to, since }, MAX_ITEMS);
  const { items, from } = limitItems(found, requestedFrom);
  const persons = [...new Set(items.flatMap(({ person }) => person ?? []))];
  const people = new Map<string, PersonFacts>(
    (await selectSimulationPeople(pool(), client.id, persons, from)).map(({ person, ...facts }) => [person, facts]),
  );
  const changes = Object.values(settings).some((value) => value !== undefined);
  const also = { sellerOnly: allowsSellerOnly(client), reminderDays: reminderDaysOf(client) };
  const runWith = (rules: SendRules) => simulateOutcome(items, people, rules, { from, to, ...also });
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  return {
    from,
    to,
    items: items.length,
    present: await runWith(rulesOf(client)),
    changed: changes ? await runWith(rulesOf({ ...client, ...given })) : null,
  };
}

/** Keeps the newest items, in whole days, if there are too many to simulate. */
function limitItems(found: SimulationItem[], requestedFrom: Day): { items: SimulationItem[]; from: Day } {
  if (found.length < MAX_ITEMS) return { items: found, from: requestedFrom };
  const dates = found.flatMap(({ delivery_date }) => delivery_date ?? []).sort();
  const from = addDays(dates[0] ?? requestedFrom, 1); // the oldest day may be incomplete
  return { items: found.filter(({ delivery_date }) => delivery_date !== null && delivery_date >= from), from };
}

async function simulateOutcome(
  simulationItems: SimulationItem[],
  people: ReadonlyMap<string, PersonFacts>,
  rules: SendRules,
  { from, to, sellerOnly, reminderDays }: { from: Day; to: Day; sellerOnly: boolean; reminderDays: number | null },
): Promise<SimulationSummary> {
  const items = simulationItems.map(({ reviewed, ...item }) => {
    // A review written after the email would have been sent doesn't prevent it.
    const opens = item.delivery_date && addDays(item.delivery_date, rules.afterDays);
    const before = reviewed.filter((day) => opens === null || day <= opens).sort();
    return { ...item, invited: false, reviewed: before.at(-1) ?? null };
  });
  const steps = simulate(items, people, rules, { from, to: addDays(to, rules.beforeDays), sellerOnly });
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { ...summarize(step.value), reminders: countReminders(step.value, reminderDays) };
    await nextTurn();
  }
}

/** Counts emails that would be reminded of without a response: the last ones to their person for that many days. */
function countReminders({ mails, seller }: Simulation, reminderDays: number | null): number {
  if (reminderDays === null) return 0;
  const days = new Map<string, Day[]>();
  for (const { person, day } of [...mails, ...seller]) days.set(person, [...(days.get(person) ?? []), day]);
  const isLast = ({ person, day }: { person: string; day: Day }) =>
    !days.get(person)?.some((other) => other > day && other <= addDays(day, reminderDays));
  return mails.filter(isLast).length;
}

function summarize({ mails, seller, simulatedItems }: Simulation): Omit<SimulationSummary, "reminders"> {
  const byDay = new Map<Day, { day: Day; mails: number; items: number }>();
  for (const { day, items } of [...mails, ...seller.map(({ day }) => ({ day, items: [] }))]) {
    const sum = byDay.get(day) ?? { day, mails: 0, items: 0 };
    byDay.set(day, { day, mails: sum.mails + 1, items: sum.items + items.length });
  }
  const held = heldReasons.map((reason) => {
    const heldItems = simulatedItems.filter((simulated) => simulated.day === null && simulated.reason === reason);
    const examples = new Map<string, { order_id: string; item_id: string }>();
    for (const { item } of heldItems) {
      if (examples.size === MAX_EXAMPLES) break;
      const { order_id, item_id } = item;
      if (!examples.has(order_id)) examples.set(order_id, { order_id, item_id });
    }
    return { reason, items: heldItems.length, examples: [...examples.values()] };
  });
  const delayed = heldReasons.map((reason) => {
    const heldItems = simulatedItems.flatMap(
      (simulated) => (simulated.day !== null && simulated.waited[reason as keyof typeof simulated.waited]) || [],
    );
    return { reason, items: heldItems.length, days: heldItems.reduce((sum, days) => sum + days, 0) };
  });
  const byItemCount = (a: { items: number }, b: { items: number }) => b.items - a.items;
  return {
    mails: mails.length + seller.length,
    seller_mails: seller.length,
    items: mails.reduce((sum, mail) => sum + mail.items.length, 0),
    by_day: [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1)),
    held: held.filter(({ items }) => items > 0).sort(byItemCount),
    late: delayed.filter(({ items }) => items > 0).sort(byItemCount),
    open: simulatedItems.filter(({ day, reason }) => day === null && reason === null).length,
  };
}
