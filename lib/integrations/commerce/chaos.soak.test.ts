import { afterEach, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { pool } from "@/lib/platform/db/pool";
import { CommerceFake, commerceUser } from "@/lib/tools/fakes/commerce";
import { aShipment, type Row } from "@/lib/tools/fakes/commerce-orders";
import { manyOrders } from "@/lib/tools/fakes/commerce-shop";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient } from "@/lib/tools/test/factories";
import { killPrograms, startProgram } from "@/lib/tools/test/program";
import { randomFailureOf } from "@/lib/tools/test/random-failures";

// Every kind of failure occurs at the same time, and our process is killed three times: all orders must be stored
// exactly once. STORM sets the number of orders, a small one by default.

process.env.ALLOW_PRIVATE_URLS = "true";
const ORDERS = Number(process.env.STORM || 240);
const RATE = 20;

const fake = new CommerceFake({}, { rate: RATE + 5, tokenTtl: 62 });
const start = (id: string) => startProgram("lib/tools/test/sync-commerce-process.ts", [id]);
afterEach(async () => {
  await killPrograms();
  await fake.close();
});

it(
  "imports every order once despite failures of the store and killed processes",
  async () => {
    const orders = manyOrders(ORDERS);
    fake.data.orders.push(...orders);
    fake.data.shipments.push(...orders.map((order) => aShipment(order, order.items as Row[])));
    fake.failureFor = randomFailureOf;
    const { id } = await aClient();
    const settings = [
      `orders_url=${await fake.listen()}`,
      "auth=password",
      `requests_per_second=${RATE}`,
      "page_size=20",
    ];
    await setIntegrationFromText(systemActor, { id }, "commerce", settings, commerceUser);
    const stored = async () => {
      const { rows } = await pool().query<{ orders: number }>(
        "select count(*)::int as orders from orders where client_id = $1",
        [id],
      );
      return rows[0]!.orders;
    };
    for (const share of [0.1, 0.4, 0.7]) {
      start(id);
      await waitUntil(async () => (await stored()) >= ORDERS * share, 60_000 + ORDERS * 100);
      await killPrograms();
    }
    expect(await start(id).ended).toBe(0);
    const { rows } = await pool().query(
      `select (select count(*) from orders where client_id = $1)::int as orders,
            (select count(*) from order_items where client_id = $1)::int as items,
            (select count(*) from order_items where client_id = $1 and delivery_date = '2026-01-07')::int as delivered,
            (select count(*) from deliveries where client_id = $1 and outcome = 'imported')::int as told,
            (select count(*) from deliveries where client_id = $1 and (outcome <> 'imported' or attempts > 1))::int as odd,
            (select count(*) from integration_runs where client_id = $1 and outcome = 'running')::int as open`,
      [id],
    );
    expect(rows).toEqual([{ orders: ORDERS, items: ORDERS, delivered: ORDERS, told: ORDERS, odd: 0, open: 0 }]);
    expect(fake.peakRate).toBeLessThanOrEqual(RATE + 5);
  },
  180_000 + ORDERS * 200,
);
