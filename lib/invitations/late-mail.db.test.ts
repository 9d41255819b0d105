import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { emptyDatabase } from "@/lib/tools/test/database";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { changeSettings } from "@/lib/tools/test/with-settings";

// The mail service accepts nothing for days: what was true when an email was written may not be when it can be sent.

let refusing = true;
let sent: { to: string; key: string }[] = [];
const service = createServer(async (request, response) => {
  const { to } = JSON.parse(await text(request)) as { to: string };
  response.setHeader("content-type", "application/json");
  if (refusing) {
    response.writeHead(429).end(JSON.stringify({ statusCode: 429, name: "monthly_quota_exceeded", message: "enough" }));
    return;
  }
  sent.push({ to, key: String(request.headers["idempotency-key"]) });
  response.end(JSON.stringify({ id: "re_1" }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  return changeSettings({
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    MAIL_FROM: "reviews@candor.example",
  });
});
afterAll(() => new Promise((resolve) => service.close(resolve)));
beforeEach(async () => {
  await emptyDatabase();
  refusing = true;
  sent = [];
});

const at = <T>(date: string, work: () => T): T => withNow(new Date(`${date}T09:00:00Z`), work);

/** Runs the job. Emails that the service rejects wait for the next run. */
const run = (client: string, date: string) =>
  at(date, async () => {
    await claimInvitations(client);
    for (const id of await unsentInvitations(client))
      await sendInvitation(client, id).catch((error: { code?: string }) => {
        if (error.code !== "unavailable") throw error;
      });
  });

async function shop(settings: Record<string, unknown> = {}) {
  const client = await makeClient("shop", settings);
  await makeCustomer(client, { id: "k1", email: "anna@x.example" });
  await makeOrder(client, "o1", "k1", [{ id: "p1", delivery_date: "2026-03-01" }]);
  return client;
}

test("sends a delayed email once when the service recovers", async () => {
  const client = await shop();
  await run(client, "2026-03-08");
  await run(client, "2026-03-08");
  await run(client, "2026-03-09");
  refusing = false;
  await run(client, "2026-03-10");
  await run(client, "2026-03-10");
  expect(sent.map(({ to }) => to)).toEqual(["anna@x.example"]);
  const { rows } = await pool().query("select status, day, mail_id is not null as mailed from invitations");
  expect(rows).toEqual([{ status: "sent", day: "2026-03-10", mailed: true }]);
});

test("doesn't send a second email if one waited past the cooldown", async () => {
  const client = await shop();
  await run(client, "2026-03-08");
  await makeOrder(client, "o2", "k1", [{ id: "p2", delivery_date: "2026-03-22" }]);
  await run(client, "2026-03-29"); // 21 days later: the second is claimed as well
  refusing = false;
  await run(client, "2026-03-30");
  await run(client, "2026-03-31");
  expect(sent).toHaveLength(1);
  const { held } = await at("2026-03-31", () => previewNextRun(client));
  expect(held.map(({ reason }) => reason).sort()).toEqual(["already_invited", "quarantine"]);
});

test("sends nothing to customers who object while an email waits, and drops cancelled items", async () => {
  const client = await shop();
  await makeCustomer(client, { id: "k2", email: "bo@x.example" });
  await makeOrder(client, "o2", "k2", [{ id: "p2", delivery_date: "2026-03-01" }]);
  await run(client, "2026-03-08");
  await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
    client,
    personHash(client, "email", "anna@x.example"),
  ]);
  await pool().query("update order_items set reviewable = false where order_id = 'o2'");
  refusing = false;
  await run(client, "2026-03-08");
  expect(sent).toEqual([]);
  expect((await pool().query("select from mails")).rowCount).toBe(0);
});

test("sends no more than the day's limit after emails pile up", async () => {
  const client = await makeClient("shop", { send_limit: 2 });
  for (let n = 0; n < 5; n++) {
    await makeCustomer(client, { id: `k${n}`, email: `k${n}@x.example` });
    await makeOrder(client, `o${n}`, `k${n}`, [{ id: "p", delivery_date: "2026-03-01" }]);
  }
  for (const day of ["2026-03-08", "2026-03-09", "2026-03-10"]) await run(client, day);
  refusing = false;
  const counts: number[] = [];
  for (const day of ["2026-03-11", "2026-03-12", "2026-03-13", "2026-03-14"]) {
    await run(client, day);
    counts.push(sent.length);
  }
  expect(counts).toEqual([2, 4, 5, 5]);
  expect(new Set(sent.map(({ to }) => to)).size).toBe(5);
});
