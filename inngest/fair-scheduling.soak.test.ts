import { afterEach, beforeEach, expect, it } from "vitest";
import * as hooks from "@/app/portal/api/v1/webhooks/route";
import { sealAddress } from "@/lib/integrations/webhooks/rows";
import { pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { listMails } from "@/lib/platform/mail/list-mails";
import { call } from "@/lib/tools/test/call";
import { postJson } from "@/lib/tools/test/collection-rows";
import { emptyDatabase } from "@/lib/tools/test/database";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, aMember, rowsOf } from "@/lib/tools/test/factories";
import { makeClient } from "@/lib/tools/test/invitation-rows";
import { killPrograms, startProgram } from "@/lib/tools/test/program";
import { type WebhookReceiver, webhookReceiver } from "@/lib/tools/test/webhook-receiver";

// A store's receivers are slow for as long as the test holds them: other stores don't wait for them.

const receivers: WebhookReceiver[] = [];
beforeEach(emptyDatabase);
afterEach(async () => {
  await killPrograms();
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

const aReceiver = async () => {
  const receiver = await webhookReceiver();
  receivers.push(receiver);
  return receiver;
};

/** A webhook of the store with its own receiver, which answers once `holds` settles. */
async function aWebhook(shop: Awaited<ReturnType<typeof aClient>>, holds?: Promise<void>): Promise<WebhookReceiver> {
  const receiver = await aReceiver();
  if (holds) receiver.beforeAnswer = () => holds;
  const admin = await aMember(shop, "admin");
  const made = await call(hooks, "POST", "/portal/api/v1/webhooks", {
    ...admin,
    body: { url: "https://hooks.invalid/in" },
  });
  const { id, secret } = made.json.data;
  receiver.secret = secret;
  // Webhooks can't have private addresses, so the address is replaced in the database.
  const { url, sealed_url } = sealAddress(receiver.url);
  await pool().query("update webhooks set url = $2, sealed_url = $3 where id = $1", [id, url, sealed_url]);
  return receiver;
}

it("ten stores with slow receivers leave a slot for the eleventh", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stores = await Promise.all(Array.from({ length: 10 }, () => aClient()));
  const other = await aClient();
  const holding = await Promise.all(stores.flatMap((store) => [1, 2, 3].map(() => aWebhook(store, held))));
  const quick = await aWebhook(other);
  const runs = (status: string) =>
    rowsOf(`select event -> 'data' ->> 'client_id' as store from job_runs
             where function_id = 'candor-deliver-webhook' and ${status}`);
  await Promise.all(stores.map(({ id }) => enqueueReviewEvent(id)));
  await startProgram("inngest/fixtures/jobs-process.ts", [], { ALLOW_PRIVATE_URLS: "true" }).ready();
  // Every store has a running delivery, some have more; the rest is queued although slots are free.
  await waitUntil(
    async () => new Set((await runs("status = 'running'")).map(({ store }) => store)).size === 10,
    30_000,
  );
  await waitUntil(async () => (await runs("status = 'running'")).length >= 16);
  expect((await runs("status = 'running'")).length).toBeLessThan(24);
  expect((await runs("status <> 'running' and ended_at is null")).length).toBeGreaterThan(0);

  const began = performance.now();
  await enqueueReviewEvent(other.id);
  await waitUntil(async () => quick.received.length === 1);
  // A receiver without a response times out after this.
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(holding.flatMap(({ received }) => received)).toEqual([]);

  release();
  await waitUntil(async () => holding.every(({ received }) => received.length === 1), 30_000);
}, 90_000);

const enqueueReviewEvent = (client_id: string) =>
  enqueue(pool(), [{ name: "review/submitted", data: { client_id, review_id: "r" } }]);

it.each([
  ["one process", 1],
  ["three processes", 3],
])(
  "a store's slow receivers delay no other store's webhooks or emails, with %s",
  async (_, processes) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const [slow, other] = [await aClient(), await aClient()];
    const holding = await Promise.all(Array.from({ length: 14 }, () => aWebhook(slow, held)));
    const quick = await aWebhook(other);
    const countAttempts = () => holding.reduce((sum, { requestCount }) => sum + requestCount, 0);
    await Promise.all(
      Array.from({ length: processes }, () =>
        startProgram("inngest/fixtures/jobs-process.ts", [], { ALLOW_PRIVATE_URLS: "true" }).ready(),
      ),
    );

    await enqueueReviewEvent(slow.id);
    // All of the store's runs are queued before the other store's, and as many run as it may have.
    await waitUntil(
      async () => (await rowsOf("select from job_runs where function_id = 'candor-deliver-webhook'")).length >= 14,
    );
    await waitUntil(async () => countAttempts() >= 4);

    const confirming = await makeClient("confirming", { require_verification: true });
    const collect = await import("@/app/collect/reviews/route");
    const given = {
      client_id: confirming,
      api_key: `pk_${confirming}`,
      product_id: "p",
      author_email: "ann@x.example",
    };
    expect((await postJson(collect.POST, "/collect/reviews", { ...given, author: "Ann", score: 4 })).status).toBe(201);
    await enqueueReviewEvent(other.id);
    // Checked at every poll: held receivers time out in the end, and the runs that replace them count too.
    let maxRunning = 0;
    const recordRunning = async () => {
      const runningRuns = await rowsOf(
        "select from job_runs where status = 'running' and event -> 'data' ->> 'client_id' = $1",
        [slow.id],
      );
      maxRunning = Math.max(maxRunning, runningRuns.length);
    };
    const waitWhileCounting = (isDone: () => Promise<boolean>) =>
      waitUntil(async () => {
        await recordRunning();
        return isDone();
      }, 40_000);
    await waitWhileCounting(async () => quick.received.length === 1);
    await waitWhileCounting(async () => (await listMails({ to: "ann@x.example" })).length === 1);
    expect(maxRunning).toBe(4);
    expect(holding.flatMap(({ received }) => received)).toEqual([]);

    release();
    await waitUntil(async () => holding.every(({ received }) => received.length === 1), 30_000);
  },
  60_000,
);
