import { once } from "node:events";
import http from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Service, type Settings, startService } from "@/inngest/fixtures/service";
import { pool } from "@/lib/platform/db/pool";
import { readJobs } from "@/lib/platform/jobs/functions";
import { listRuns } from "@/lib/platform/jobs/list-runs";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { relayToEngine, relayToInngest } from "@/lib/platform/jobs/outbox/relay";
import { openQueue } from "@/lib/platform/jobs/queue";
import { listMails } from "@/lib/platform/mail/list-mails";
import { emptyDatabase } from "@/lib/tools/test/database";
import { eventKey, signingKey, waitUntil } from "@/lib/tools/test/engines";
import { InngestFake, sign } from "@/lib/tools/test/inngest-fake";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";

// The service with Inngest's keys, against a fake server that enforces the published protocol: registration,
// signatures, key rotation, and moving between engines with runs in progress.

const newKey = `signkey-test-${"fedcba9876543210".repeat(4)}`;
let fakeInngest: InngestFake;
let service: Service | null = null;

beforeEach(async () => {
  await emptyDatabase();
  fakeInngest = await InngestFake.start({ eventKey, signingKey, backoff: () => 50 });
});
afterEach(async () => {
  await service?.stop();
  service = null;
  await fakeInngest.stop();
});

const keys = (): Settings => ({
  INNGEST_EVENT_KEY: eventKey,
  INNGEST_SIGNING_KEY: signingKey,
  INNGEST_BASE_URL: fakeInngest.url,
});

async function restart(settings: Settings): Promise<Service> {
  await service?.stop();
  service = await startService(settings, () => import("@/app/api/inngest/route"));
  return service;
}

const deliveredDaysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function shopWithDueOrders(id = "shop"): Promise<string> {
  const client = await makeClient(id, {});
  for (const n of [1, 2, 3]) {
    await makeCustomer(client, { id: `k${n}`, email: `customer${n}@${id}.example`, name: "Anna" });
    await makeOrder(client, `o${n}`, `k${n}`, [{ id: `p${n}`, name: "Lamp", delivery_date: deliveredDaysAgo(20) }]);
  }
  return client;
}

const customersOf = (...shops: string[]) =>
  shops.flatMap((shop) => [1, 2, 3].map((n) => `customer${n}@${shop}.example`)).sort();
const mailedTo = async () => (await listMails()).map(({ to }) => to).sort();
const due = (client_id: string) => enqueue(pool(), [{ name: "invitations/due", data: { client_id } }]);
const allDone = (count: number) =>
  waitUntil(async () => fakeInngest.runs.length === count && fakeInngest.runs.every(({ status }) => status === "done"));

it("registers by itself and does the same, with signatures checked both ways", async () => {
  const { url } = await restart(keys());
  await waitUntil(async () => fakeInngest.registrations.length === 1);
  const [{ functions, url: registered } = { functions: [], url: "" }] = fakeInngest.registrations;
  expect(registered).toBe(url);
  const { functions: ours } = await import("@/inngest");
  expect(functions).toHaveLength(ours.length);

  const client = await shopWithDueOrders();
  await due(client);
  await allDone(2);
  expect(await mailedTo()).toEqual(customersOf("shop"));
  expect(fakeInngest.refusals).toEqual([]);
  expect(fakeInngest.events[0]?.id).toMatch(/^outbox-\d+$/);
  expect(await listRuns()).toEqual([]);

  // The same row again, as after a crash before it was marked as relayed: Inngest deduplicates it by id.
  await pool().query("update outbox set relayed_at = null, taken_until = now() where name = 'invitations/due'");
  await waitUntil(async () => (await pool().query("select from outbox where relayed_at is null")).rowCount === 0);
  expect(fakeInngest.runs).toHaveLength(2);

  const call = { version: 2, event: { name: "x", data: {} }, events: [], steps: {}, ctx: { run_id: "r", attempt: 0 } };
  const post = (signature?: string) =>
    fetch(`${url}?fnId=candor-clean-up&stepId=step`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(signature ? { "x-inngest-signature": signature } : {}) },
      body: JSON.stringify(call),
    });
  const old = Math.round(Date.now() / 1_000) - 3_600;
  expect((await post()).status).toBe(401);
  expect((await post(sign(call, "signkey-test-00ff"))).status).toBe(401);
  expect((await post(sign({ ...call, steps: { a: 1 } }, signingKey))).status).toBe(401);
  expect((await post(sign(call, signingKey, old))).status).toBe(401);
}, 30_000);

it("continues an erasure that is too large for one request, its state fetched from Inngest", async () => {
  await fakeInngest.stop();
  fakeInngest = await InngestFake.start({ eventKey, signingKey, backoff: () => 50, maxCallBytes: 500 });
  await restart(keys());
  await waitUntil(async () => fakeInngest.registrations.length === 1);
  const { erasePersonalData } = await import("@/lib/privacy/erase-personal-data");
  const client = await shopWithDueOrders();
  await pool().query(
    "insert into orders (client_id, id, customer_id) select $1, 'many-' || n, 'k1' from generate_series(1, 4500) n",
    [client],
  );
  const asker = { kind: "key", id: "key_1" } as const;
  expect(await erasePersonalData(asker, { id: client }, { by: "customer", id: "k1" })).toBe("pending");
  await pool().query("update outbox set available_at = now() where name = 'personal_data/deletion_requested'");
  await waitUntil(async () => (await pool().query("select from deletion_requests")).rowCount === 0);
  await waitUntil(async () => fakeInngest.runs.every(({ status }) => status === "done"));
  expect((await pool().query("select from customers where id = 'k1'")).rowCount).toBe(0);
  expect(fakeInngest.runs.map(({ functionId }) => functionId)).toContain("candor-erase-person");
  expect(fakeInngest.fetches).toBeGreaterThan(0);
  expect(fakeInngest.refusals).toEqual([]);
}, 30_000);

it("registers itself and on a signed request, at its own address, and not on an unsigned request", async () => {
  const { url } = await restart(keys());
  await waitUntil(async () => fakeInngest.registrations.length === 1);
  const unsigned = async (headers: Record<string, string>) => {
    const unsignedRequest = http.request(url, { method: "PUT", headers: { "content-length": 0, ...headers } });
    unsignedRequest.end();
    const [answer] = (await once(unsignedRequest, "response")) as [http.IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect(await unsigned({ host: "evil.example" })).toBe(401);
  expect(await unsigned({ "x-inngest-signature": `t=${Math.floor(Date.now() / 1_000)}&s=${"0".repeat(64)}` })).toBe(
    401,
  );
  expect(fakeInngest.registrations).toHaveLength(1);
  await fakeInngest.sync(url);
  expect(fakeInngest.registrations.map((each) => each.url)).toEqual([url, url]);
});

it("lists its functions for Inngest, with details for a signed request", async () => {
  const { url } = await restart(keys());
  await waitUntil(async () => fakeInngest.registrations.length === 1);
  await fakeInngest.syncInBand(url);
  expect(fakeInngest.registrations[1]?.functions).toEqual(fakeInngest.registrations[0]?.functions);
  expect(await fakeInngest.inspect(url)).toMatchObject({ mode: "cloud", has_signing_key: true, has_event_key: true });
  expect((await fetch(url)).status).toBe(401);
  const unsigned = await fetch(url, {
    method: "PUT",
    headers: { "x-inngest-sync-kind": "in_band", "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  expect(unsigned.status).toBe(401);
});

it("works through a key rotation, and accepts the old key only as long as configured", async () => {
  const runsFine = async (shop: string) => {
    const before = fakeInngest.runs.length;
    await due(await shopWithDueOrders(shop));
    await allDone(before + 2);
  };
  const both = { ...keys(), INNGEST_SIGNING_KEY: newKey, INNGEST_SIGNING_KEY_FALLBACK: signingKey };
  await restart(keys());
  await waitUntil(async () => fakeInngest.registrations.length === 1);
  await runsFine("one");

  // The service gets the new key first: everything still uses the old one, and registration succeeds at the second
  // attempt.
  const { url } = await restart(both);
  await waitUntil(async () => fakeInngest.registrations.length === 2);
  expect(fakeInngest.refusals).toEqual(["a registration with a wrong signing key"]);
  await runsFine("two");

  fakeInngest.rotate(newKey);
  await runsFine("three");
  expect(await fakeInngest.inspect(url)).toMatchObject({ has_signing_key: true });

  await restart({ ...both, INNGEST_SIGNING_KEY_FALLBACK: "" });
  await waitUntil(async () => fakeInngest.registrations.length === 3);
  await runsFine("four");
  fakeInngest.rotate(signingKey);
  await expect(fakeInngest.inspect(service?.url ?? "")).rejects.toThrow("401");
  expect(await mailedTo()).toEqual(customersOf("one", "two", "three", "four"));
  expect(fakeInngest.refusals).toHaveLength(1);
}, 45_000);

it("reports why Inngest rejected the functions", async () => {
  const { url } = await restart({ ...keys(), INNGEST_SIGNING_KEY: newKey });
  await waitUntil(async () => fakeInngest.refusals.length > 0);
  expect(fakeInngest.registrations).toEqual([]);
  const { registerFunctions } = await import("@/lib/platform/jobs/register");
  const { inngest } = await import("@/inngest/client");
  const { functions } = await import("@/inngest");
  const { origin: serveOrigin, pathname: servePath } = new URL(url);
  await expect(registerFunctions({ client: inngest, functions }, { serveOrigin, servePath })).rejects.toThrow(
    "Inngest rejected the functions (401): Unauthorized",
  );
});

it("runs on a development server without keys", async () => {
  await fakeInngest.stop();
  fakeInngest = await InngestFake.start({ eventKey: null, signingKey: null, backoff: () => 50 });
  await restart({ INNGEST_DEV: fakeInngest.url });
  await waitUntil(async () => fakeInngest.registrations.length === 1);
  await due(await shopWithDueOrders());
  await allDone(2);
  expect(await mailedTo()).toEqual(customersOf("shop"));
});

it("finishes on the embedded engine what started there, and sends new work to Inngest", async () => {
  const { inngest } = await import("@/inngest/client");
  const { functions } = await import("@/inngest");
  await openQueue();
  await due(await shopWithDueOrders("before"));
  await relayToEngine(await readJobs({ client: inngest, functions }));
  expect(await listRuns()).toHaveLength(1);

  await restart(keys());
  await due(await shopWithDueOrders("after"));
  await waitUntil(async () => (await mailedTo()).length === 6);
  await waitUntil(async () => fakeInngest.runs.every(({ status }) => status === "done"));
  await waitUntil(async () => (await pool().query("select from job_runs where ended_at is null")).rowCount === 0);
  expect(await mailedTo()).toEqual(customersOf("before", "after"));
  expect((await listRuns()).map((run) => run.function)).toEqual(["claim-invitations"]);
  expect(fakeInngest.runs.map(({ functionId }) => functionId).sort()).toEqual([
    "candor-claim-invitations",
    "candor-send-invitation",
    "candor-send-invitation",
  ]);
}, 30_000);

it("serves runs in progress on Inngest while new work goes to the embedded engine again", async () => {
  const { url } = await restart({ ...keys(), JOB_ENGINE: "embedded" });
  // Inngest knows the functions already and has an event sent earlier.
  await fakeInngest.syncInBand(url);
  await shopWithDueOrders("before");
  const sent = await fetch(`${fakeInngest.url}/e/${eventKey}`, {
    method: "POST",
    headers: { "x-inngest-sdk": "inngest-js:v4.0.0" },
    body: JSON.stringify({ name: "invitations/due", data: { client_id: "before" } }),
  });
  expect(sent.status).toBe(200);
  await due(await shopWithDueOrders("after"));
  await waitUntil(async () => (await mailedTo()).length === 6);
  await waitUntil(async () => fakeInngest.runs.every(({ status }) => status === "done"));
  expect(await mailedTo()).toEqual(customersOf("before", "after"));
  expect(fakeInngest.runs.map(({ functionId }) => functionId)).toEqual([
    "candor-claim-invitations",
    "candor-send-invitation",
  ]);
  // Meanwhile the engine runs scheduled functions.
  const ofMails = ["claim-invitations", "send-invitation"];
  await waitUntil(async () => (await listRuns()).filter((run) => ofMails.includes(run.function)).length === 2);
}, 30_000);

it("keeps events while Inngest is unavailable and sends them later", async () => {
  await enqueue(pool(), [{ name: "invitations/due", data: { client_id: "shop" } }]);
  await expect(relayToInngest(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  const sent: string[] = [];
  const send = async (events: { name: string }[]) => void sent.push(...events.map(({ name }) => name));
  // Claimed for half a minute by the failed call: not available until then, so that two never send concurrently.
  expect(await relayToInngest(send)).toBe(0);
  // The time is stored in rounded milliseconds, so a stored now() may be slightly ahead.
  await pool().query("update outbox set taken_until = now() - interval '1 ms'");
  expect(await relayToInngest(send)).toBe(1);
  expect(sent).toEqual(["invitations/due"]);
});

it("runs functions that call a partner one at a time and rate-limited, for each client or receiver", async () => {
  const { inngest } = await import("@/inngest/client");
  const { functions } = await import("@/inngest");
  const jobs = await readJobs({ client: inngest, functions });
  const event = (client: string) => ({
    id: client,
    name: "x",
    ts: 0,
    data: { client_id: client, lane: `lane of ${client}`, webhook_id: `wh of ${client}`, feed_id: `feed of ${client}` },
  });
  for (const name of ["deliver-engagement", "deliver-webhook", "sync-integration", "import-feed"]) {
    const { concurrency = [], throttle } = jobs.functions.get(`candor-${name}`) ?? {};
    expect(concurrency[0]?.limit, name).toBe(1);
    for (const limit of [...concurrency, throttle]) {
      expect(limit?.keyOf(event("a")), name).not.toBe(limit?.keyOf(event("b")));
    }
    const maxPerMinute = 1 + (throttle?.burst ?? Number.POSITIVE_INFINITY) + 60_000 / (throttle?.every ?? 1);
    expect(maxPerMinute, name).toBeLessThanOrEqual(270);
  }
});
