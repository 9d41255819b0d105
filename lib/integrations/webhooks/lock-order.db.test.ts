import { expect, it } from "vitest";
import { enclosingTransaction, pool, transaction } from "@/lib/platform/db/pool";
import { dropPendingEvents } from "@/lib/reviews/replies/sql";
import { waitUntil } from "@/lib/tools/test/engines";
import { eraseCompletely } from "@/lib/tools/test/erase";
import { aClient, countBlockedQueries, rowsOf, someReviews } from "@/lib/tools/test/factories";
import { replayDeliveries } from "./replay";
import { sealAddress } from "./rows";
import { removeWebhook, resumeWebhook } from "./set-webhook";

// An erasure locks pending deliveries by key. A transaction that locks them in another order, or the webhook after
// them, may deadlock with it.

const by = { kind: "user", id: "u" } as const;

/** A failing webhook whose deliveries are stored and named in reverse order of their ids. */
async function aWebhook(state: "pending" | "sent") {
  const { id: clientId } = await aClient();
  const { url, sealed_url } = sealAddress("https://hooks.invalid/in");
  await rowsOf(
    `insert into webhooks (client_id, id, url, sealed_url, events, secrets, failing_since, updated_at)
     values ($1, 'wh', $2, $3, '{review.updated,review.deleted}', '', now(), now())`,
    [clientId, url, sealed_url],
  );
  await rowsOf(
    `insert into webhook_deliveries (client_id, id, webhook_id, event, subject, data, happened_at, due_at, state, attempts)
     overriding system value
     select $1, n, 'wh', 'review.updated', 'review-' || 9 - n, '{}', now(), now() + interval '1 hour', $2, 1
       from generate_series(5, 1, -1) n`,
    [clientId, state],
  );
  return clientId;
}

/** A call whose statements read rows in physical order, which no lock order may depend on. */
const inPhysicalOrder = (work: () => Promise<unknown>) =>
  enclosingTransaction(async (db, join) => {
    for (const way of ["indexscan", "indexonlyscan", "bitmapscan"]) await db.query(`set enable_${way} = off`);
    await join(work).finally(() => db.query("reset all"));
  });

it.each([
  ["resumed", "pending", (id: string) => resumeWebhook(by, { id }, "wh")],
  ["resent all", "sent", (id: string) => replayDeliveries(by, { id }, "wh", { from: "2026-01-01T00:00:00Z" })],
] as const)("locks deliveries by key if a webhook is %s", { timeout: 30_000 }, async (_, state, press) => {
  const clientId = await aWebhook(state);
  const erasing = await pool().connect();
  const hold = (condition: string) =>
    erasing.query(`select from webhook_deliveries where client_id = $1 and ${condition} order by id for update`, [
      clientId,
    ]);
  const before = await countBlockedQueries();
  try {
    await erasing.query("begin");
    await hold("id = 1");
    const pressed = inPhysicalOrder(() => press(clientId));
    pressed.catch(() => undefined); // checked below
    await waitUntil(async () => (await countBlockedQueries()) > before);
    expect((await hold("id > 1")).rowCount).toBe(4);
    await erasing.query("rollback");
    await pressed;
  } finally {
    await erasing.query("rollback");
    erasing.release();
  }
  const left = await rowsOf(
    "select from webhook_deliveries where client_id = $1 and state = 'pending' and due_at <= now()",
    [clientId],
  );
  expect(left).toHaveLength(5);
});

it("an erasure locks webhooks before their deliveries, like the deletion of a webhook", {
  timeout: 30_000,
}, async () => {
  const clientId = await aWebhook("pending");
  await someReviews(
    clientId,
    [1, 2, 3, 4, 5].map((n) => ({ id: `review-${9 - n}`, customer_id: "c-1" })),
  );
  const removing = await pool().connect();
  const before = await countBlockedQueries();
  try {
    await removing.query("begin");
    await removing.query("select from webhooks where client_id = $1 for update", [clientId]);
    const erased = eraseCompletely(clientId, { by: "customer", id: "c-1" });
    erased.catch(() => undefined); // checked below
    await waitUntil(async () => (await countBlockedQueries()) > before);
    const free = await removing.query("select from webhook_deliveries where client_id = $1 for update skip locked", [
      clientId,
    ]);
    await removing.query("rollback");
    expect(free.rowCount).toBe(5);
    await erased;
  } finally {
    await removing.query("rollback");
    removing.release();
  }
  const remaining = await rowsOf("select event from webhook_deliveries where client_id = $1", [clientId]);
  expect(remaining.map(({ event }) => event)).toEqual(Array(5).fill("review.deleted"));
  await removeWebhook(by, { id: clientId }, "wh");
  expect(await rowsOf("select from webhook_deliveries where client_id = $1", [clientId])).toEqual([]);
});

/** A webhook with deliveries of unpublished outbox events, all of one reply. */
async function unpublishedDeliveries() {
  const clientId = await aWebhook("pending");
  await rowsOf(
    `with facts as (
       insert into outbox (client_id, name, data, available_at)
       select $1, 'question/replied', '{"answer_id":"a-1"}', now() + interval '1 hour' from generate_series(1, 5)
       returning id)
     update webhook_deliveries d set fact_id = f.id
       from (select id, row_number() over (order by id) as n from facts) f where d.client_id = $1 and d.id = f.n`,
    [clientId],
  );
  const withdraw = () => transaction((db) => dropPendingEvents(db, clientId, "question", "a-1"));
  const left = () => rowsOf("select from webhook_deliveries where client_id = $1", [clientId]);
  return { clientId, takeBack: withdraw, left };
}

it.each([
  ["the webhook before its deliveries", "webhooks where client_id = $1", "", 5],
  ["its deliveries by key", "webhook_deliveries where client_id = $1 and id = 1", "and id > 1", 4],
])("a withdrawal locks %s", { timeout: 30_000 }, async (_, held, others, free) => {
  const { clientId, takeBack, left } = await unpublishedDeliveries();
  const holding = await pool().connect();
  const before = await countBlockedQueries();
  try {
    await holding.query("begin");
    await holding.query(`select from ${held} for update`, [clientId]);
    const undone = inPhysicalOrder(takeBack);
    undone.catch(() => undefined); // checked below
    await waitUntil(async () => (await countBlockedQueries()) > before);
    const found = await holding.query(
      `select from webhook_deliveries where client_id = $1 ${others} for update skip locked`,
      [clientId],
    );
    await holding.query("rollback");
    expect(found.rowCount).toBe(free);
    await undone;
  } finally {
    await holding.query("rollback");
    holding.release();
  }
  expect(await left()).toEqual([]);
});
