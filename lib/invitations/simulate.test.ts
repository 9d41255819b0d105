import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays } from "@/lib/invitations/days";
import { type ItemFacts, type PersonFacts, planDay, planSellerDay, type SendRules } from "@/lib/invitations/rules";
import { simulate, simulateToEnd } from "@/lib/invitations/simulate";
import { propertyRuns } from "@/lib/tools/test/property-runs";

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
        rated_shop: fc.option(dayOf(-182, -170), { nil: null, freq: 1 }),
      }),
    ),
  ),
  items: fc.array(
    fc.record({
      person: fc.option(fc.constantFrom(...people), { nil: null, freq: 9 }),
      delivery_date: fc.option(dayOf(-10, 20), { nil: null, freq: 9 }),
      reviewable: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
      cancelled: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
      product_deleted: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
      reviewed: fc.option(dayOf(-182, -170), { nil: null, freq: 1 }),
      held_until: fc.option(dayOf(-5, 25), { nil: null, freq: 1 }),
      order: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 25 },
  ),
});

/** The reference simulation: checks everyone every day. */
function dayAfterDay(items: ItemFacts[], known: Map<string, PersonFacts>, rules: SendRules, sentToday: number) {
  const people = new Map(known);
  const sent: string[] = [];
  const seller: string[] = [];
  let remaining = items;
  for (let day = first; day <= addDays(first, 60); day = addDays(day, 1)) {
    const before = day === first ? Math.min(sentToday, rules.limit) : 0;
    const send = (mails: typeof plan.send, into: string[]) => {
      for (const { person, items } of mails) {
        into.push(`${day} ${person} ${items.map(({ item_id }) => item_id)}`);
        people.set(person, { ...(people.get(person) as PersonFacts), invited: day });
      }
      const gone = new Set(mails.flatMap(({ items }) => items));
      remaining = remaining.map((item) => (gone.has(item) ? { ...item, invited: true } : item));
    };
    const plan = planDay(remaining, people, rules, day, before);
    send(plan.send, sent);
    send(planSellerDay(remaining, people, rules, day, Math.max(0, rules.limit - before - plan.send.length)), seller);
  }
  return { sent, seller };
}

test("sends the same emails as a daily check of everybody", () => {
  let aboutShops = 0;
  fc.assert(
    fc.property(world, ({ rules: { window, ...given }, sentToday, people: facts, items: drawn }) => {
      const rules = { ...given, beforeDays: given.afterDays + window };
      const known = new Map(people.map((name, index) => [name, facts[index] as PersonFacts]));
      const items = drawn.map((item, index) => ({
        ...item,
        order_id: `${item.person}-${item.order}`,
        item_id: `p${index}`,
        held: false,
        invited: false,
        answered: false,
      }));
      const { mails, seller, simulatedItems } = simulateToEnd(items, known, rules, {
        from: first,
        to: addDays(first, 60),
        sentToday: Math.min(sentToday, rules.limit),
        sellerOnly: true,
      });
      aboutShops += seller.length;
      const toComparable = (all: typeof mails) =>
        all.map(({ day, person, items }) => `${day} ${person} ${items.map(({ item_id }) => item_id)}`);
      expect({ sent: toComparable(mails), seller: toComparable(seller) }).toEqual(
        dayAfterDay(items, known, rules, sentToday),
      );
      // Every item has one result: an email, or a reason for none.
      expect(simulatedItems).toHaveLength(items.length);
      for (const { item, day, reason } of simulatedItems) {
        expect(day === null, item.order_id).toBe(reason !== null);
        expect(day !== null).toBe(mails.some(({ items }) => items.includes(item)));
      }
    }),
    { numRuns: propertyRuns(150) },
  );
  expect(aboutShops).toBeGreaterThan(0);
});

test("doesn't check everyone every day for a backlog far above the limit", { timeout: 20_000 }, () => {
  const items = Array.from({ length: 40_000 }, (_, index) => ({
    order_id: `o${String(index).padStart(5, "0")}`,
    item_id: "p",
    delivery_date: first,
    reviewable: true,
    held: false,
    held_until: null,
    invited: false,
    answered: false,
    product_deleted: false,
    cancelled: false,
    reviewed: null,
    person: `k${index}`,
  }));
  const nothing = { opted_out: false, suppressed: false, invited: null, rated_shop: null };
  const people = new Map(items.map(({ person }) => [person, nothing]));
  const rules = { afterDays: 0, beforeDays: 60, quarantineDays: 21, limit: 100 };
  let days = 0;
  const steps = simulate(items, people, rules, { from: first, to: addDays(first, 400) });
  let step = steps.next();
  for (; !step.done; step = steps.next()) days += 1;
  expect(step.value.mails).toHaveLength(61 * 100);
  expect(new Set(step.value.simulatedItems.map(({ reason }) => reason))).toEqual(new Set([null, "send_limit"]));
  expect(days).toBeGreaterThan(60);
});
