import { setImmediate as breath } from "node:timers/promises";
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

/** What would become of the orders under some settings. */
export type SimulationSummary = {
  /** all that count for the limit; `seller_mails` of them ask about the shop alone */
  mails: number;
  seller_mails: number;
  /**
   * reminders beside them if nobody answered, which is the most there can be; 0 where the client sends none. They are not
   * among `mails`, and nothing waits for them.
   */
  reminders: number;
  /** what is asked for in them; what a mail about the shop stands for is not among them */
  items: number;
  /** each day on which mails would go, oldest first */
  by_day: { day: Day; mails: number; items: number }[];
  /** items that would never be asked for, by what stands or stood in the way, most first; examples of different orders */
  held: { reason: HeldReason; items: number; examples: { order_id: string; item_id: string }[] }[];
  /** items that would be asked for later than their own first day, by what kept them; `days`: of all of them together */
  late: { reason: HeldReason; items: number; days: number }[];
  /** items whose time has not come when the days that are looked at are over */
  open: number;
};

export type SettingsSimulation = {
  /** the deliveries that were played through; `from` is later than asked for where there are too many */
  from: Day;
  to: Day;
  items: number;
  present: SimulationSummary;
  /** under the changed settings; null where none were changed */
  changed: SimulationSummary | null;
};

/** No more items than that are played through at once: some hundred megabytes. */
const MAX_ITEMS = 200_000;
const MAX_EXAMPLES = 5;

/**
 * Plays the orders of the last `days` days through by the rules, from the first of these days on and as far ahead as
 * their mails would go, under the client's settings and under changed ones. What people did meanwhile counts as it
 * stands (opt-outs, cancelled items); the mails that really went in these days, and what they led to, are left out.
 * Reads only: nothing is written or sent.
 */
export async function runSimulation(
  client: ClientRow,
  { days, settings }: { days: number; settings: SendSettings },
): Promise<SettingsSimulation> {
  const to = dayIn(timeZoneOf(client));
  const asked = addDays(to, 1 - days);
  const since = new Date(now().getTime() - days * 86_400_000);
  const found = await selectSimulationItems(pool(), client.id, { from: asked, to, since }, MAX_ITEMS);
  const { items, from } = limitItems(found, asked);
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

/** The newest items, whole days of them, where there are more than can be played through. */
function limitItems(found: SimulationItem[], asked: Day): { items: SimulationItem[]; from: Day } {
  if (found.length < MAX_ITEMS) return { items: found, from: asked };
  const dates = found.flatMap(({ delivery_date }) => delivery_date ?? []).sort();
  const from = addDays(dates[0] ?? asked, 1); // of the oldest day there may be more
  return { items: found.filter(({ delivery_date }) => delivery_date !== null && delivery_date >= from), from };
}

async function simulateOutcome(
  rehearsed: SimulationItem[],
  people: ReadonlyMap<string, PersonFacts>,
  rules: SendRules,
  { from, to, sellerOnly, reminderDays }: { from: Day; to: Day; sellerOnly: boolean; reminderDays: number | null },
): Promise<SimulationSummary> {
  const items = rehearsed.map(({ reviewed, ...item }) => {
    // A review written after the mail would have gone stood in nobody's way.
    const opens = item.delivery_date && addDays(item.delivery_date, rules.afterDays);
    const before = reviewed.filter((day) => opens === null || day <= opens).sort();
    return { ...item, invited: false, reviewed: before.at(-1) ?? null };
  });
  const steps = simulate(items, people, rules, { from, to: addDays(to, rules.beforeDays), sellerOnly });
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { ...summarize(step.value), reminders: countReminders(step.value, reminderDays) };
    await breath();
  }
}

/** Mails that would be reminded of if nobody answered: the last ones to their person for so many days. */
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
    const kept = simulatedItems.filter((fate) => fate.day === null && fate.reason === reason);
    const examples = new Map<string, { order_id: string; item_id: string }>();
    for (const { item } of kept) {
      if (examples.size === MAX_EXAMPLES) break;
      const { order_id, item_id } = item;
      if (!examples.has(order_id)) examples.set(order_id, { order_id, item_id });
    }
    return { reason, items: kept.length, examples: [...examples.values()] };
  });
  const late = heldReasons.map((reason) => {
    const kept = simulatedItems.flatMap(
      (fate) => (fate.day !== null && fate.waited[reason as keyof typeof fate.waited]) || [],
    );
    return { reason, items: kept.length, days: kept.reduce((sum, days) => sum + days, 0) };
  });
  const byItemCount = (a: { items: number }, b: { items: number }) => b.items - a.items;
  return {
    mails: mails.length + seller.length,
    seller_mails: seller.length,
    items: mails.reduce((sum, mail) => sum + mail.items.length, 0),
    by_day: [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1)),
    held: held.filter(({ items }) => items > 0).sort(byItemCount),
    late: late.filter(({ items }) => items > 0).sort(byItemCount),
    open: simulatedItems.filter(({ day, reason }) => day === null && reason === null).length,
  };
}
