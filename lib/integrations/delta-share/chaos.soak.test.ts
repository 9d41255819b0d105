import { afterEach, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { pool } from "@/lib/platform/db/pool";
import { DeltaShareFake } from "@/lib/tools/fakes/delta-share";
import { addReceipts, anArticle, aStore, tenantTables } from "@/lib/tools/fakes/delta-share-tenant";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient } from "@/lib/tools/test/factories";
import { killPrograms, startProgram } from "@/lib/tools/test/program";
import { pseudoRandomOf, randomFailureOf } from "@/lib/tools/test/random-failures";

// Every kind of failure occurs at the same time, and our process is killed three times: all orders must be stored
// exactly once. STORM sets the number of orders, a small one by default.

process.env.ALLOW_PRIVATE_URLS = "true";
const ORDERS = Number(process.env.STORM || 400);

const tables = tenantTables();
const fake = new DeltaShareFake(Object.values(tables));
const start = (id: string) => startProgram("lib/tools/test/sync-delta-share-process.ts", [id]);
afterEach(async () => {
  await killPrograms();
  await fake.close();
});

it(
  "imports every order once despite failures of the share and killed processes",
  async () => {
    tables.storelatest.append([aStore()]);
    tables.articlelatest.append([anArticle(), anArticle({ sku: "MUG", number: "MUG", name: "Mug" })]);
    addReceipts(tables, ORDERS);
    let calls = 0;
    fake.failureFor = (_, what) => {
      calls += 1;
      return randomFailureOf(calls) ?? (what === "file" && pseudoRandomOf(calls) < 30 ? "expired" : null);
    };
    const { id } = await aClient();
    await setIntegrationFromText(systemActor, { id }, "share", [], {
      profile: await fake.listen(),
    });
    const read = async () => {
      const { rows } = await pool().query<{ read: number }>(
        "select count(*)::int as read from share_files where client_id = $1",
        [id],
      );
      return rows[0]!.read;
    };
    const files = 2 + 3 * Math.ceil(ORDERS / 100);
    for (const share of [0.15, 0.5, 0.9]) {
      start(id);
      await waitUntil(async () => (await read()) >= files * share, 90_000 + ORDERS * 100);
      await killPrograms();
    }
    expect(await start(id).ended).toBe(0);
    const { rows } = await pool().query(
      `select (select count(*) from orders where client_id = $1)::int as orders,
            (select count(*) from order_items where client_id = $1)::int as items,
            (select count(*) from order_items where client_id = $1 and delivery_date = '2026-01-09' and reviewable)::int as due,
            (select count(*) from customers where client_id = $1)::int as customers,
            (select count(*) from deliveries where client_id = $1 and outcome = 'imported' and attempts = 1)::int as told,
            (select count(*) from deliveries where client_id = $1)::int as lines,
            (select count(*) from share_rows where client_id = $1 and todo)::int as todo,
            (select count(*) from integration_runs where client_id = $1 and outcome = 'running')::int as open`,
      [id],
    );
    const customers = Math.ceil(ORDERS / 4);
    expect(rows).toEqual([
      {
        orders: ORDERS,
        items: ORDERS,
        due: ORDERS,
        customers,
        told: ORDERS,
        lines: ORDERS,
        todo: 0,
        open: 0,
      },
    ]);
    expect(fake.peakRate).toBeLessThanOrEqual(fake.modes.rate);
  },
  240_000 + ORDERS * 200,
);
