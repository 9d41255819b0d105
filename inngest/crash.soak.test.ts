import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { listMails } from "@/lib/platform/mail/list-mails";
import { emptyDatabase } from "@/lib/tools/test/database";
import { waitUntil } from "@/lib/tools/test/engines";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { killPrograms, startProgram } from "@/lib/tools/test/program";

// The processes that send invitations are killed repeatedly while they send; every customer is invited once.

beforeEach(emptyDatabase);

afterEach(killPrograms);

const startProcess = () => startProgram("inngest/fixtures/jobs-process.ts").ready();

const customers = 60;

async function shopWithDueOrders(): Promise<string> {
  const client = await makeClient("shop", {});
  const delivery_date = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
  for (let n = 0; n < customers; n += 1) {
    await makeCustomer(client, { id: `k${n}`, email: `customer${n}@x.example`, name: "Anna" });
    await makeOrder(client, `o${n}`, `k${n}`, [{ id: `p${n}`, name: "Lamp", delivery_date }]);
  }
  return client;
}

it("invites every customer once, however often the senders are killed", async () => {
  const client_id = await shopWithDueOrders();
  await enqueue(pool(), [{ name: "invitations/due", data: { client_id } }]);
  for (const milliseconds of [60, 150, 250]) {
    await startProcess();
    await sleep(milliseconds);
    await killPrograms();
  }
  await startProcess();
  await waitUntil(async () => {
    const { rows } = await pool().query(
      `select (select count(*) from invitations where status = 'sent')::int as sent,
         (select count(*) from job_runs where ended_at is null)::int as open`,
    );
    return rows[0].sent === customers && rows[0].open === 0;
  }, 45_000);
  const mailed = (await listMails()).map(({ to }) => to);
  expect(mailed).toHaveLength(customers);
  expect(new Set(mailed).size).toBe(customers);
  const { rows } = await pool().query("select distinct status from job_runs");
  expect(rows).toEqual([{ status: "done" }]);
}, 60_000);
