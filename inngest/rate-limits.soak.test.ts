import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { type Service, type Settings, startService } from "@/inngest/fixtures/service";
import { systemActor } from "@/lib/accounts/actor";
import { sealCredentials } from "@/lib/integrations/rows";
import { createWebhook } from "@/lib/integrations/webhooks/set-webhook";
import { pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";
import { emptyDatabase } from "@/lib/tools/test/database";
import { eventKey, signingKey, waitUntil } from "@/lib/tools/test/engines";
import { aClient, rowsOf, someReviews } from "@/lib/tools/test/factories";
import { InngestFake } from "@/lib/tools/test/inngest-fake";
import { webhookReceiver } from "@/lib/tools/test/webhook-receiver";

// However many deliveries are due, and however often events say so, other systems get few concurrent calls, no faster
// than they permit. The systems are fakes behind a proxy that counts concurrent calls.

vi.hoisted(() => {
  process.env.ALLOW_PRIVATE_URLS = "true";
});

/** Concurrent calls of one run; two concurrent runs would have more. */
const OF_ONE_RUN = { platform: 4, receiver: 8 };
const RATE = 50;
const REVIEWS = 30;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Longer than the rate limit alone would space calls, so that two concurrent runs would show. */
const SLOWNESS = 200;

/** A slow proxy to an address that counts concurrent calls. */
async function countingFront(address: string) {
  const countingProxy = { url: "", now: 0, most: 0 };
  const server = http.createServer(async (request, response) => {
    countingProxy.now += 1;
    countingProxy.most = Math.max(countingProxy.most, countingProxy.now);
    response.once("close", () => {
      countingProxy.now -= 1;
    });
    await sleep(SLOWNESS);
    const { method, headers } = request;
    const onward = http.request(new URL(request.url ?? "/", address), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once("error", () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  countingProxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return countingProxy;
}

/** A store with the engagement platform and a webhook, and reviews not delivered yet. */
async function aShop() {
  const platform = new EngagementFake({ rate: RATE });
  const [atPlatform, receiver] = [await countingFront(await platform.listen()), await webhookReceiver()];
  ends.push(() => platform.close(), receiver.stop);
  const atReceiver = await countingFront(receiver.url);
  const shop = await aClient();
  await rowsOf(
    `insert into integrations (client_id, type, settings, secrets, created_at)
     values ($1, 'engagement', $2, $3, now() - interval '1 hour')`,
    [shop.id, JSON.stringify({ base_url: atPlatform.url }), sealCredentials({ api_key: engagementKey })],
  );
  const hook = await createWebhook(systemActor, shop, { url: atReceiver.url, events: ["review.updated"] });
  receiver.secret = hook.secret;
  const people = Array.from({ length: 10 }, (_, n) => `ada${n}@flood.example`);
  for (const email of people) platform.addContact({ email });
  const reviews = await someReviews(
    shop.id,
    Array.from({ length: REVIEWS }, (_, n) => {
      const email = people[n % people.length];
      return { source: "collect", verified_email: true, author_email: email, email_key: email };
    }),
  );
  return { shop, hook, reviews, platform, atPlatform, receiver, atReceiver };
}

async function start(settings: Settings): Promise<Service> {
  const service = await startService(settings, () => import("@/app/api/inngest/route"));
  ends.push(service.stop);
  return service;
}

it.each(["the embedded engine", "Inngest"])(
  "%s floods neither a platform nor a receiver, however much is due",
  async (engine) => {
    await emptyDatabase();
    const fakeInngest = await InngestFake.start({ eventKey, signingKey, backoff: () => 50 });
    ends.push(() => fakeInngest.stop());
    const { shop, hook, reviews, platform, atPlatform, receiver, atReceiver } = await aShop();
    const client_id = shop.id;
    const keys = { INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey, INNGEST_BASE_URL: fakeInngest.url };
    await start(engine === "Inngest" ? keys : {});
    if (engine === "Inngest") await waitUntil(async () => fakeInngest.registrations.length === 1);
    // All reviews together, and the due events forty times.
    await enqueue(pool(), [
      ...reviews.flatMap((review_id) => [
        { name: "engagement/review" as const, data: { client_id, review_id } },
        { name: "review/updated" as const, data: { client_id, review_id } },
      ]),
      ...Array.from({ length: 40 }, () => [
        { name: "engagement/due" as const, data: { client_id } },
        { name: "webhook/due" as const, data: { client_id, webhook_id: hook.id } },
      ]).flat(),
    ]);
    const open = async (text: string) => (await rowsOf(text, [client_id])).length;
    await waitUntil(
      async () =>
        platform.interactions.size === REVIEWS &&
        receiver.received.length === REVIEWS &&
        (await open("select from deliveries where client_id = $1 and outcome = 'pending'")) === 0,
      60_000,
    );
    expect([...platform.contacts.values()].every(({ attributes }) => attributes.reviewAverageGrade !== undefined)).toBe(
      true,
    );
    expect(new Set(receiver.received.map(({ data }) => data.review_id))).toEqual(new Set(reviews));
    expect(platform.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(platform.peakRate).toBeLessThanOrEqual(RATE);
    expect(atPlatform.most).toBeGreaterThan(0);
    expect(atPlatform.most).toBeLessThanOrEqual(OF_ONE_RUN.platform);
    expect(atReceiver.most).toBeGreaterThan(0);
    expect(atReceiver.most).toBeLessThanOrEqual(OF_ONE_RUN.receiver);
    // Each engine started several runs for the forty events: those of the webhook in sequence, those of the platform
    // merged.
    const runs = (name: string) =>
      engine === "Inngest"
        ? Promise.resolve(fakeInngest.runs.filter(({ functionId }) => functionId === `candor-${name}`).length)
        : rowsOf("select from job_runs where function_id = $1", [`candor-${name}`]).then(({ length }) => length);
    expect(await runs("deliver-webhook")).toBeGreaterThan(20);
    expect(await runs("deliver-engagement")).toBeLessThan(20);
    if (engine === "Inngest") {
      expect(fakeInngest.peaks.get(`candor-deliver-engagement:${client_id}`)?.max).toBe(1);
      expect(fakeInngest.peaks.get(`candor-deliver-webhook:${hook.id}`)?.max).toBe(1);
    }
  },
  120_000,
);
