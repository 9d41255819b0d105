import { afterEach, beforeEach, expect, it } from "vitest";
import { sealAddress } from "@/lib/integrations/webhooks/rows";
import { createWebhook } from "@/lib/integrations/webhooks/set-webhook";
import { defaultEvents } from "@/lib/integrations/webhooks/values";
import { pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, rowsOf } from "@/lib/tools/test/factories";
import { killPrograms, startProgram } from "@/lib/tools/test/program";
import { type WebhookReceiver, webhookReceiver } from "@/lib/tools/test/webhook-receiver";

let receiver: WebhookReceiver;
let release = () => {};
beforeEach(async () => {
  receiver = await webhookReceiver();
});
afterEach(async () => {
  release();
  await killPrograms();
  await receiver.stop();
});

const lease = async () =>
  (await rowsOf("select leased_by, extract(epoch from due_at - now())::float8 as seconds from webhook_deliveries"))[0]!;
const start = () => startProgram("inngest/fixtures/jobs-process.ts", [], { ALLOW_PRIVATE_URLS: "true" });

it("a lease of a killed process is reclaimed at the next start, without waiting until it ends", async () => {
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.beforeAnswer = () => held;
  const { id, client } = await aClient();
  const { id: webhook, secret } = await createWebhook({ kind: "user", id: "u" }, client, {
    url: "https://hooks.invalid/in",
    events: [...defaultEvents],
  });
  receiver.secret = secret;
  const { url, sealed_url } = sealAddress(receiver.url);
  await rowsOf("update webhooks set url = $2, sealed_url = $3 where id = $1", [webhook, url, sealed_url]);

  const killed = start();
  await killed.ready();
  await enqueue(pool(), [{ name: "review/submitted", data: { client_id: id, review_id: "r" } }]);
  await waitUntil(async () => receiver.requestCount === 1, 30_000);
  await killed.kill();
  const left = await lease();
  expect(left.leased_by).toBeGreaterThan(0);
  expect(left.seconds).toBeGreaterThan(30);
  expect(left.seconds).toBeLessThanOrEqual(60);
  const over = Date.now() + left.seconds * 1_000;
  await start().ready();
  await waitUntil(async () => receiver.requestCount === 2, 30_000);
  expect(Date.now()).toBeLessThan(over);
  release();
  await waitUntil(async () => receiver.received.length > 0);
  await waitUntil(async () => (await lease()).leased_by === null);
}, 90_000);
