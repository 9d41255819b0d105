import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays } from "@/lib/invitations/days";
import { type ItemFacts, type PersonFacts, planDay, type SendRules } from "@/lib/invitations/rules";
import { simulate, simulateNow } from "@/lib/invitations/simulate";

const first = "2026-05-01";
const people = ["a", "b", "c", "d", "e", "f"];
const dayOf = (from: number, to: number) => fc.integer({ min: from, max: to }).map((ago) => addDays(first, ago));

const world = fc.record({
  rules: fc.record({
    afterDays: fc.integer({ min: 0, max: 5 }),
    window: fc.integer({ min: 0, max: 12 }),
    quarantineDays: fc.integer({ min: 0, max: 9 }),
    limit: fc.integer({ min: 0, max: 4 }),
  }),
  sentToday: fc.integer({ min: 0, max: 3 }),
  people: fc.tuple(
    ...people.map(() =>
      fc.record({
        opted_out: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
        suppressed: fc.constant(false),
        invited: fc.option(dayOf(-8, -1), { nil: null }),
      }),
    ),
  ),
  items: fc.array(
    fc.record({
      person: fc.option(fc.constantFrom(...people), { nil: null, freq: 9 }),
      delivery_date: fc.option(dayOf(-10, 20), { nil: null, freq: 9 }),
      reviewable: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
      reviewed: fc.option(dayOf(-182, -170), { nil: null, freq: 1 }),
    }),
    { maxLength: 25 },
  ),
});

/** The plainest way to let days pass: every day everybody is looked at. */
function dayAfterDay(items: ItemFacts[], known: Map<string, PersonFacts>, rules: SendRules, sentToday: number) {
  const people = new Map(known);
  const sent: string[] = [];
  let left = items;
  for (let day = first; day <= addDays(first, 60); day = addDays(day, 1)) {
    const plan = planDay(left, people, rules, day, day === first ? Math.min(sentToday, rules.limit) : 0);
    for (const { person, items } of plan.send) {
      sent.push(`${day} ${person} ${items.map(({ order_id }) => order_id)}`);
      people.set(person, { ...(people.get(person) as PersonFacts), invited: day });
    }
    const gone = new Set(plan.send.flatMap(({ items }) => items));
    left = left.filter((item) => !gone.has(item));
  }
  return sent;
}

test("who is looked at only when something can have changed gets the same mails as with a look every day", () => {
  fc.assert(
    fc.property(world, ({ rules: { window, ...given }, sentToday, people: facts, items: drawn }) => {
      const rules = { ...given, beforeDays: given.afterDays + window };
      const known = new Map(people.map((name, index) => [name, facts[index] as PersonFacts]));
      const items = drawn.map((item, index) => ({
        ...item,
        order_id: `o${index}`,
        item_id: "p",
        held: false,
        invited: false,
        answered: false,
        product_deleted: false,
      }));
      const { mails, fates } = simulateNow(items, known, rules, {
        from: first,
        to: addDays(first, 60),
        sentToday: Math.min(sentToday, rules.limit),
      });
      expect(
        mails.map(({ day, person, items }) => `${day} ${person} ${items.map(({ order_id }) => order_id)}`),
      ).toEqual(dayAfterDay(items, known, rules, sentToday));
      // Every item has one fate: a mail, or a reason why there will be none.
      expect(fates).toHaveLength(items.length);
      for (const { item, day, reason } of fates) {
        expect(day === null, item.order_id).toBe(reason !== null);
        expect(day !== null).toBe(mails.some(({ items }) => items.includes(item)));
      }
    }),
    { numRuns: 600 },
  );
});

test("a backlog far above the limit costs no look at everybody every day", { timeout: 20_000 }, () => {
  const items = Array.from({ length: 40_000 }, (_, index) => ({
    order_id: `o${String(index).padStart(5, "0")}`,
    item_id: "p",
    delivery_date: first,
    reviewable: true,
    held: false,
    invited: false,
    answered: false,
    product_deleted: false,
    reviewed: null,
    person: `k${index}`,
  }));
  const people = new Map(items.map(({ person }) => [person, { opted_out: false, suppressed: false, invited: null }]));
  const rules = { afterDays: 0, beforeDays: 60, quarantineDays: 21, limit: 100 };
  let days = 0;
  const steps = simulate(items, people, rules, { from: first, to: addDays(first, 400) });
  let step = steps.next();
  for (; !step.done; step = steps.next()) days += 1;
  expect(step.value.mails).toHaveLength(61 * 100);
  expect(new Set(step.value.fates.map(({ reason }) => reason))).toEqual(new Set([null, "send_limit"]));
  expect(days).toBeGreaterThan(60);
});
