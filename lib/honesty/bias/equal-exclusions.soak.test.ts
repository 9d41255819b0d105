import { beforeEach, expect, it } from "vitest";
import { countAsked, splitByValue } from "@/lib/honesty/bias/closed-orders";
import { findInvitationBias, selectFirstOrders } from "@/lib/honesty/bias/find-invitation-bias";
import { recordInvitations } from "@/lib/honesty/record-invitations";
import { claimInvitations } from "@/lib/invitations/claim-invitations";
import { addDays } from "@/lib/invitations/days";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { emptyDatabase } from "@/lib/tools/test/database";
import { rowsOf } from "@/lib/tools/test/factories";
import { makeClient, makeCustomer, makeProduct, makeReview } from "@/lib/tools/test/invitation-rows";

// Stores that exclude one of five products for everyone, day by day with the real runs: whatever else differs between
// customers, it isn't taken for an exclusion. Half of them once gave one star, the others five.

const START = "2026-03-01";
const DAYS = 110;
const PEOPLE = 300;
const PRODUCTS = 5;

beforeEach(emptyDatabase);

const at = (day: string, hour: string) => new Date(`${day}T${hour}:00:00Z`);
const isHappy = (n: number) => n % 2 === 0;

/** Orders of a customer, their items, and the first of the days in which the first ones are delivered. Happy ones' are cheap. */
type Habits = { orders: number; items: number; from?: number; days?: number };

/** What a store does each morning, before the run. */
type Morning = (today: string) => Promise<unknown>;

/** Excludes each second order on one of the days 3 to 29 after its delivery, of which the first day to ask is the seventh. */
async function excludeComplaints(today: string): Promise<void> {
  const number = "split_part(substr(order_id, 2), '-', 1)::int";
  const excluded = await rowsOf(
    `update order_items set reviewable = false, reviewable_set = false
      where reviewable and ${number} % 4 < 2 and delivery_date + 3 + ${number} % 27 = $1 returning order_id, id`,
    [today],
  );
  // The database has the real date.
  for (const { order_id, id } of excluded)
    await rowsOf(
      "update order_items set withheld_late = $3 >= delivery_date + 7, canceled = false where order_id = $1 and id = $2",
      [order_id, id, today],
    );
}

async function aStore(
  settings: Record<string, unknown>,
  happy: Habits,
  unhappy: Habits,
  people = PEOPLE,
  morning: Morning = async () => {},
): Promise<void> {
  await makeClient("shop", { send_limit: 100_000, ...settings });
  await withNow(at(START, "08"), () => recordInvitations("shop"));
  for (let order = 0; order < happy.orders; order += 1)
    for (let product = 0; product < PRODUCTS; product += 1) await makeProduct("shop", `p${product}-${order}`);
  await makeProduct("shop", "old");
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let n = 0; n < people; n += 1) {
    const { orders, items, from = 1, days = 20 } = isHappy(n) ? happy : unhappy;
    await makeCustomer("shop", { id: `c${n}`, email: `c${n}@x.example` });
    await makeReview("shop", { id: `r${n}`, product_id: "old", date: "2026-01-10", customer_id: `c${n}` });
    for (let order = 0; order < orders; order += 1) {
      const delivery = addDays(START, from + (n % days) + 8 * order);
      const value = (isHappy(n) ? 10 : 100) + n / 1_000;
      await rowsOf(
        "insert into orders (client_id, id, customer_id, value, created_at) values ('shop', $1, $2, $3, $4)",
        [`o${n}-${order}`, `c${n}`, value, at(addDays(delivery, -3), "08")],
      );
      const picked = Array.from({ length: PRODUCTS }, (_, product) => ({ product, rank: random() }))
        .sort((a, b) => a.rank - b.rank)
        .slice(0, items);
      await rowsOf(
        `insert into order_items (client_id, order_id, id, position, delivery_date, reviewable, reviewable_set, returned)
         select 'shop', $1, 'p' || p || '-' || $2, p, $3, p <> 0, nullif(p <> 0, true), false from unnest($4::int[]) p`,
        [`o${n}-${order}`, order, delivery, picked.map(({ product }) => product)],
      );
    }
  }
  await rowsOf(
    "update reviews set created_at = '2026-01-10', score = case when substr(customer_id, 2)::int % 2 = 0 then 5 else 1 end",
  );
  for (let day = 1; day <= DAYS; day += 1) {
    const today = addDays(START, day);
    await withNow(at(today, "06"), () => recordInvitations("shop"));
    await morning(today);
    await withNow(at(today, "08"), () => claimInvitations("shop"));
    await rowsOf(
      "update invitations set status = 'sent', sent_at = claimed_at, expires_at = claimed_at + interval '180 days' where status = 'claimed'",
    );
  }
}

it.each<[string, Record<string, unknown>, Habits, Habits]>([
  ["one item or four", {}, { orders: 1, items: 1 }, { orders: 1, items: 4 }],
  [
    "one item or four, with reminders",
    { quarantine_period: 30, config: { reminder_after_days: 14 } },
    { orders: 1, items: 1 },
    { orders: 1, items: 4 },
  ],
  [
    "one order or four, with a cooldown longer than the window",
    { quarantine_period: 90 },
    { orders: 4, items: 1 },
    { orders: 1, items: 1 },
  ],
])(
  "an exclusion of the same products for everyone is no finding: %s",
  { timeout: 300_000 },
  async (_, settings, happy, unhappy) => {
    await aStore(settings, happy, unhappy);
    const { low, high } = countAsked(splitByValue(await selectFirstOrders(pool(), "shop", at("2026-06-15", "00"))));
    // There is something to compare, and both sides are excluded for.
    for (const { reviews, count } of [low, high]) {
      expect(reviews).toBeGreaterThan(50);
      expect(count / reviews).toBeGreaterThan(0.65);
      expect(count / reviews).toBeLessThan(0.95);
    }
    expect(await findInvitationBias("shop", [], at("2026-06-17", "00"))).toEqual({ findings: [], notCompared: 0 });
  },
);

it.each<[string, Record<string, unknown>, Habits, Habits, Morning | undefined, { sale: number; share: number }]>([
  [
    "a daily limit that is used up in a sale",
    { send_limit: 30, send_emails_after_days: 2, send_emails_before_days: 8 },
    { orders: 1, items: 1, days: 2 },
    { orders: 1, items: 1, days: 75 },
    undefined,
    { sale: 500, share: 0.75 },
  ],
  [
    "complaints that come while the orders of a sale wait",
    { send_limit: 30, send_emails_after_days: 7, send_emails_before_days: 45 },
    { orders: 1, items: 1, from: 48, days: 2 },
    { orders: 1, items: 1, days: 45 },
    excludeComplaints,
    { sale: 600, share: 0.65 },
  ],
])(
  "an exclusion of the same products for everyone is no finding: %s",
  { timeout: 300_000 },
  async (_, settings, happy, unhappy, morning, bounds) => {
    await aStore(settings, happy, unhappy, 1800, morning);
    // Many of the sale's orders were never reached.
    const [sale] = await rowsOf(
      "select count(*)::int as asked from order_items join orders o on o.id = order_id where asked and value < 100",
    );
    expect(sale.asked).toBeGreaterThan(100);
    expect(sale.asked).toBeLessThan(bounds.sale);
    const { low, high } = countAsked(splitByValue(await selectFirstOrders(pool(), "shop", at("2026-06-15", "00"))));
    for (const { reviews, count } of [low, high]) {
      expect(reviews).toBeGreaterThan(300);
      expect(count / reviews).toBeGreaterThan(bounds.share);
      expect(count / reviews).toBeLessThan(0.9);
    }
    expect(await findInvitationBias("shop", [], at("2026-06-17", "00"))).toEqual({ findings: [], notCompared: 0 });
  },
);
