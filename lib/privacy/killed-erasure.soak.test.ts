import pg from "pg";
import { afterEach, expect, it } from "vitest";
import * as deletion from "@/app/v1/personal_data/delete/route";
import { aRegularCustomer, countOrders } from "@/lib/privacy/fixtures/regular-customer";
import { call, type TestResponse } from "@/lib/tools/test/call";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { findEverywhere } from "@/lib/tools/test/find-everywhere";
import { killPrograms, startProgram } from "@/lib/tools/test/program";

afterEach(killPrograms);

const startProcess = () => startProgram("inngest/fixtures/jobs-process.ts").ready();
const erase = (shop: TestClient, body: Record<string, unknown>): Promise<TestResponse> =>
  call(deletion, "POST", "/v1/personal_data/delete", { key: shop.key, body });
const found = async (texts: string[]) => Object.values(await findEverywhere(texts)).flat();

it("an erasure of thousands of orders continues after being killed midway", { timeout: 120_000 }, async () => {
  const shop = await aClient();
  const anna = await aRegularCustomer(shop, 5_000, "zinnober");
  // Locks the last order, so the erasure stops at a known point.
  const holder = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select from orders where id = 'order-zinnober-4999' for update");
    expect((await erase(shop, { customer_id: anna.id })).status).toBe(202);
    await rowsOf("update outbox set available_at = now() where name = 'personal_data/deletion_requested'");
    await startProcess();
    await waitUntil(async () => (await countOrders(shop, anna.id)) <= 500, 60_000);
    await killPrograms();
  } finally {
    await holder.end(); // Releases the lock.
  }

  expect(await countOrders(shop, anna.id)).toBeGreaterThan(0);
  expect(await rowsOf("select from deletion_requests")).toHaveLength(1);
  expect(await rowsOf("select from audit_entries")).toEqual([]);
  await startProcess();
  await waitUntil(async () => (await rowsOf("select from deletion_requests")).length === 0, 60_000);
  await killPrograms();
  expect(await found(anna.words)).toEqual([]);
  expect(await rowsOf("select detail->'removed'->'orders' as orders from audit_entries")).toEqual([{ orders: 5_000 }]);
  expect((await erase(shop, { customer_id: anna.id })).status).toBe(204);
});
