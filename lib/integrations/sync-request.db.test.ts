import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as collect from "@/app/collect/reviews/route";
import * as retrying from "@/app/portal/api/v1/integrations/[kind]/retry/route";
import * as syncing from "@/app/portal/api/v1/integrations/[kind]/sync/route";
import * as sentOf from "@/app/portal/api/v1/sent/[kind]/[id]/route";
import { runJob, startJobs, stopJobs } from "@/inngest/jobs";
import { systemActor } from "@/lib/accounts/actor";
import { deliverDueRecords } from "@/lib/integrations/engagement/deliver-due";
import { queueReview } from "@/lib/integrations/engagement/queue-review";
import { defaultTiming, type Timing } from "@/lib/integrations/engagement/timing";
import { getIntegration } from "@/lib/integrations/list-integrations";
import { clearSyncRequest, listSyncRuns, readSyncRequest, recordSyncRequest } from "@/lib/integrations/record-run";
import { requestSync } from "@/lib/integrations/request-sync";
import { runWholeSync } from "@/lib/integrations/run-whole-sync";
import { switchIntegration } from "@/lib/integrations/set-integration";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { syncPart } from "@/lib/integrations/sync-part";
import { pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { CommerceFake, commerceKeys } from "@/lib/tools/fakes/commerce";
import { sampleCatalog } from "@/lib/tools/fakes/commerce-shop";
import { DeltaShareFake } from "@/lib/tools/fakes/delta-share";
import { sampleTenant } from "@/lib/tools/fakes/delta-share-tenant";
import { EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";
import { call } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, aMember, rowsOf, someReviews, type TestClient, uniqueName } from "@/lib/tools/test/factories";

// Requests for a connected system: sync now, retry, list deliveries.

process.env.ALLOW_PRIVATE_URLS = "true";

const PATH = "/portal/api/v1/integrations/engagement";
const impatient: Timing = {
  ...defaultTiming,
  timeout: 2_500, // a busy machine responds slowly as well
  defaultRetryAfter: 0.05,
  lease: 4_000,
  settle: 150,
  backoff: [600],
};

let fake: EngagementFake;
let base = "";
beforeAll(async () => {
  fake = new EngagementFake();
  base = await fake.listen();
});
afterAll(() => fake.close());
beforeEach(async () => {
  await emptyDatabase();
  for (const held of [fake.contacts, fake.schemas, fake.interactions]) held.clear();
  fake.failures.length = 0;
  fake.requests.length = 0;
  fake.modes.interactions = true;
});

async function connected() {
  const shop = await aClient();
  await setIntegrationFromText(systemActor, { id: shop.id }, "engagement", [`base_url=${base}`], {
    api_key: engagementKey,
  });
  await rowsOf("update integrations set created_at = now() - interval '1 hour'");
  return { shop, admin: await aMember(shop, "admin") };
}

/** A review with a verified email, not queued yet. */
async function aReview(shop: TestClient, given: Record<string, unknown> = {}): Promise<string> {
  const author_email = (given.author_email as string) ?? `${uniqueName("ada")}@example.org`;
  const row = { source: "collect", verified_email: true, author_email, email_key: author_email.toLowerCase() };
  const [id = ""] = await someReviews(shop.id, [{ ...row, ...given }]);
  return id;
}

describe("a requested sync", () => {
  // Its page polls while the sync is requested or running, and would stop at the first gap.
  it.each(["engagement", "commerce", "share"] as const)("is requested or running until its end: %s", async (kind) => {
    const { shop } = await connected();
    const [store, lake] = [new CommerceFake(sampleCatalog()), new DeltaShareFake(Object.values(sampleTenant()))];
    const address = await store.listen();
    const profile = JSON.stringify(await lake.listen());
    await setIntegrationFromText(systemActor, shop, "commerce", [`orders_url=${address}`, "auth=oauth1"], commerceKeys);
    await setIntegrationFromText(systemActor, shop, "share", [], { profile });
    await rowsOf("create table gaps (state jsonb)");
    await rowsOf(
      `create function note_gap() returns trigger language plpgsql as $$ begin
         insert into gaps select new.state where new.state->'asked_at' is null and new.state->new.type->'active_at' is null
           and exists (select from integration_runs where client_id = new.client_id and type = new.type and outcome = 'running');
         return null; end $$`,
    );
    await rowsOf("create trigger note_gap after update on integrations for each row execute function note_gap()");
    try {
      await requestSync(systemActor, shop, kind);
      const run = await runWholeSync(systemActor, shop, kind);
      expect(run).toMatchObject({ outcome: "done" });
      expect(await rowsOf("select state from gaps")).toEqual([]);
      expect((await getIntegration(shop, kind)).running).toBe(false);
    } finally {
      await rowsOf("drop function note_gap cascade");
      await rowsOf("drop table gaps");
      await Promise.all([store.close(), lake.close()]);
    }
  });

  const running = async (shop: TestClient) => (await getIntegration(shop, "engagement")).running;

  it("stays requested until it is finished, regardless of clocks", async () => {
    for (const hours of [-2, 0, 2]) {
      const { shop } = await connected();
      await requestSync(systemActor, shop, "engagement");
      await switchIntegration(systemActor, shop, "engagement", false);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 3_600_000 });
      try {
        expect(await running(shop), `${hours}`).toBe(true);
        // Nothing can start anymore.
        await syncPart(shop.id, "engagement", { requested: true });
        expect(await running(shop), `${hours}`).toBe(false);
      } finally {
        vi.useRealTimers();
      }
    }
  });

  it("stays requested if requested after another sync started", async () => {
    const { shop } = await connected();
    await recordSyncRequest(pool(), shop.id, "engagement");
    const first = (await readSyncRequest(shop.id, "engagement")) as string;
    await recordSyncRequest(pool(), shop.id, "engagement");
    await clearSyncRequest(shop.id, "engagement", first);
    expect(await running(shop)).toBe(true);
    // A scheduled sync doesn't fulfill the request either.
    await syncPart(shop.id, "engagement");
    expect(await listSyncRuns(shop, "engagement")).toMatchObject([{ outcome: "done" }]);
    expect(await running(shop)).toBe(true);
    await syncPart(shop.id, "engagement", { requested: true });
    expect(await running(shop)).toBe(false);
  });

  it("expires after 15 minutes", async () => {
    const { shop } = await connected();
    await recordSyncRequest(pool(), shop.id, "engagement");
    const aged = (minutes: number) =>
      rowsOf(
        "update integrations set state = jsonb_set(state, '{asked_at}', to_jsonb((state->>'asked_at')::float8 - $1::float8 * 60000))",
        [minutes],
      );
    await aged(14);
    expect(await running(shop)).toBe(true);
    await aged(1.1);
    expect(await running(shop)).toBe(false);
    await requestSync(systemActor, shop, "engagement");
  });
});

describe("a sync of the engagement platform", () => {
  it("sends due deliveries, including missed ones, and reports", async () => {
    const { shop } = await connected();
    const ada = fake.addContact({ email: "ada@sync.example" });
    const queuedReview = await aReview(shop, { author_email: "ada@sync.example" });
    await queueReview(shop.id, queuedReview);
    await aReview(shop, { author_email: "ada@sync.example" });
    await aReview(shop, { author_email: "nobody@sync.example" });
    await aReview(shop, { author_email: "ada@sync.example", source: "api" });
    const run = await runWholeSync(systemActor, shop, "engagement");
    expect(run).toMatchObject({ outcome: "done", error: null, counts: { sent: 4, skipped: 1 } });
    expect(fake.interactionsOf(ada.id)).toHaveLength(2);
    expect(ada.attributes.reviewAverageGrade).toEqual(expect.any(Number));
    expect(await runWholeSync(systemActor, shop, "engagement")).toMatchObject({ outcome: "done", counts: {} });
    expect(fake.interactionsOf(ada.id)).toHaveLength(2);
    expect((await getIntegration(shop, "engagement")).running).toBe(false);
  });

  it("retries postponed deliveries immediately and reports the error", async () => {
    const { shop } = await connected();
    const ada = fake.addContact({ email: "ada@later.example" });
    await queueReview(shop.id, await aReview(shop, { author_email: "ada@later.example" }));
    fake.modes.interactions = false;
    await deliverDueRecords(shop.id, { timing: impatient });
    const refused = await runWholeSync(systemActor, shop, "engagement");
    expect(refused).toMatchObject({ outcome: "failed", error: expect.stringContaining("rejected the API key") });
    expect((await getIntegration(shop, "engagement")).state).toBe("failing");
    fake.modes.interactions = true;
    expect(await runWholeSync(systemActor, shop, "engagement")).toMatchObject({ outcome: "done", error: null });
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    expect((await getIntegration(shop, "engagement")).state).toBe("active");
  });

  it("is part of the job for all systems, if deliveries are due", async () => {
    const { shop } = await connected();
    expect((await runJob("sync-integrations", { clientIds: [shop.id] })).runs.map((run) => run.function)).toEqual([
      "sync-integrations",
    ]);
    const ada = fake.addContact({ email: "ada@all.example" });
    await queueReview(shop.id, await aReview(shop, { author_email: "ada@all.example" }));
    await runJob("sync-integrations", { clientIds: [shop.id] });
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    expect(await listSyncRuns(shop, "engagement")).toMatchObject([{ outcome: "done", counts: { sent: 2 } }]);
  });

  it("starts on request, once, and never while the integration is paused", async () => {
    const { shop, admin } = await connected();
    const ask = () => call(syncing, "POST", `${PATH}/sync`, { ...admin, body: {} });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 200)?.json.data).toMatchObject({ running: true, state: "active" });
    expect(await rowsOf("select data from outbox where name = 'integration/due'")).toEqual([
      { data: { client_id: shop.id, kind: "engagement", lane: `${shop.id}/engagement`, asked: true } },
    ]);
    await startJobs();
    try {
      await waitUntil(async () => (await listSyncRuns(shop, "engagement"))[0]?.outcome === "done");
      await waitUntil(async () => !(await getIntegration(shop, "engagement")).running);
    } finally {
      await stopJobs();
    }
    await switchIntegration(systemActor, shop, "engagement", false);
    expect((await ask()).status).toBe(409);
    expect(
      (await call(syncing, "POST", "/portal/api/v1/integrations/commerce/sync", { ...admin, body: {} })).status,
    ).toBe(404);
  });
});

describe("a resumed integration", () => {
  it.each(["engagement", "commerce", "share"] as const)(
    "syncs immediately (%s), and pausing it starts nothing",
    async (kind) => {
      const shop = await aClient();
      await rowsOf("insert into integrations (client_id, type, settings) values ($1, $2, '{}')", [shop.id, kind]);
      const facts = () => rowsOf("delete from outbox where client_id = $1 returning name, data", [shop.id]);
      await switchIntegration(systemActor, shop, kind, false);
      expect(await facts()).toEqual([]);
      await switchIntegration(systemActor, shop, kind, true);
      const fact =
        kind === "engagement"
          ? { name: "engagement/due", data: { client_id: shop.id } }
          : { name: "integration/due", data: { client_id: shop.id, kind, lane: `${shop.id}/${kind}` } };
      expect(await facts()).toEqual([fact]);
      // It's enabled already.
      await switchIntegration(systemActor, shop, kind, true);
      expect(await facts()).toEqual([]);
    },
  );
});

describe("a review, end to end", () => {
  it("goes from submission to the contact card through outbox and jobs", {
    timeout: 60_000,
  }, async () => {
    const { shop } = await connected();
    const ada = fake.addContact({ email: "ada@chain.example", customKey: "C-7" });
    await rowsOf("update clients set require_verification = false where id = $1", [shop.id]);
    await startJobs();
    try {
      const posted = await call(collect, "POST", "/collect/reviews", {
        body: {
          ...{ client_id: shop.id, api_key: shop.publicKey, product_id: "sku-9", author: "Ada" },
          ...{ author_email: "ada@chain.example", score: 4, content: "Bright enough." },
        },
      });
      expect(posted.status).toBe(201);
      // The email isn't verified: the review is skipped, and sent once the link is used.
      const outcomes = () => rowsOf("select outcome, reason from deliveries where kind = 'interaction'");
      await waitUntil(async () => (await outcomes())[0]?.reason === "unverified_email");
      expect(fake.interactionsOf(ada.id)).toEqual([]);
      const [{ id }] = await rowsOf("update reviews set verified_email = true where client_id = $1 returning id", [
        shop.id,
      ]);
      await enqueue(pool(), [{ name: "review/verified", data: { client_id: shop.id, review_id: id } }]);
      await waitUntil(async () => ada.attributes.reviewAverageGrade === 4);
      expect(fake.interactionsOf(ada.id)).toMatchObject([
        { schemaId: "completedProductRating", payload: { productSku: "sku-9", rating: 4, comment: "Bright enough." } },
      ]);
      expect(ada.attributes).toMatchObject({ reviewLatestValue: 4, reviewAverageGrade: 4 });
    } finally {
      await stopJobs();
    }
  });
});

describe("a failed delivery", () => {
  /** A review that the platform rejects permanently. */
  async function aFailedDelivery() {
    const { shop, admin } = await connected();
    const ada = fake.addContact({ email: "ada@failed.example" });
    const id = await aReview(shop, { author_email: "ada@failed.example" });
    await queueReview(shop.id, id);
    await runWholeSync(systemActor, shop, "engagement");
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    // As if it had been given up long ago, with its post undone.
    fake.interactions.clear();
    await rowsOf(
      `update deliveries set outcome = 'failed', reason = 'refused', remote_id = null, payload = '{"said":"No."}',
              created_at = now() - interval '10 days' where kind = 'interaction'`,
    );
    const retry = (body: object, as: object = admin) => call(retrying, "POST", `${PATH}/retry`, { ...as, body });
    const read = async (as: object = admin) =>
      call(sentOf, "GET", `/portal/api/v1/sent/review/${id}?client_id=${shop.id}`, as);
    return { shop, admin, ada, id, retry, read };
  }

  it("is retried on request, only once if requested repeatedly, with its full retry period", async () => {
    const { shop, ada, retry, read } = await aFailedDelivery();
    const before = (await read()).json.data.engagement.deliveries;
    expect(before).toMatchObject([
      { kind: "interaction", outcome: "failed", reason: "refused", said: "No.", retry: true },
      { kind: "attributes", outcome: "sent", retry: false },
    ]);
    const delivery_id = before[0].id;
    const answers = await Promise.all([retry({ delivery_id }), retry({ delivery_id })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await retry({})).json.data).toEqual({ retried: 0 });
    // Ten days old, but not given up at the first failure.
    fake.failures.push({ status: 503 });
    await deliverDueRecords(shop.id, { timing: impatient });
    expect((await read()).json.data.engagement.deliveries[0]).toMatchObject({
      outcome: "pending",
      reason: "unavailable",
      due_at: expect.any(String),
      retry: false,
    });
    // A worker has claimed it for up to ten minutes: it's due, and clients should poll again soon.
    const [given] = await rowsOf(
      "select reason, due_at from deliveries where kind = 'interaction' and client_id = $1",
      [shop.id],
    );
    await rowsOf("update deliveries set reason = null, due_at = now() + interval '10 min' where kind = 'interaction'");
    const [claimedLine] = (await read()).json.data.engagement.deliveries;
    expect(Date.parse(claimedLine.due_at)).toBeLessThanOrEqual(Date.now());
    await rowsOf("update deliveries set reason = $1, due_at = $2 where kind = 'interaction'", [
      given.reason,
      given.due_at,
    ]);
    await runWholeSync(systemActor, shop, "engagement");
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    expect((await read()).json.data).toMatchObject({
      engagement: {
        untold: null,
        deliveries: [
          { kind: "interaction", outcome: "sent", remote_id: fake.interactionsOf(ada.id)[0]?.id, retry: false },
          { kind: "attributes", outcome: "sent", remote_id: ada.id },
        ],
      },
      webhooks: [],
    });
    expect(await rowsOf("select detail from audit_entries where action = 'integration.retried'")).toEqual([
      { detail: { retried: 1 } },
    ]);
  });

  it("is retried with all other failed deliveries", async () => {
    const { shop, ada, retry } = await aFailedDelivery();
    expect((await retry({})).json.data).toEqual({ retried: 1 });
    await runWholeSync(systemActor, shop, "engagement");
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
  });

  it("or a skip without a contact is sent once there is one", async () => {
    const { shop, admin } = await connected();
    const id = await aReview(shop, { author_email: "late@failed.example" });
    await queueReview(shop.id, id);
    await runWholeSync(systemActor, shop, "engagement");
    const { json } = await call(sentOf, "GET", `/portal/api/v1/sent/review/${id}?client_id=${shop.id}`, admin);
    const [delivery] = json.data.engagement.deliveries;
    expect(delivery).toMatchObject({ outcome: "skipped", reason: "no_contact", retry: true });
    const late = fake.addContact({ email: "late@failed.example" });
    // All failed ones: a skip isn't a failure.
    expect((await call(retrying, "POST", `${PATH}/retry`, { ...admin, body: {} })).json.data).toEqual({ retried: 0 });
    const body = { delivery_id: delivery.id };
    expect((await call(retrying, "POST", `${PATH}/retry`, { ...admin, body })).json.data).toEqual({ retried: 1 });
    await runWholeSync(systemActor, shop, "engagement");
    expect(fake.interactionsOf(late.id)).toHaveLength(1);
  });

  it("requires an admin to retry, and is hidden from other clients", async () => {
    const { shop, id, retry, read } = await aFailedDelivery();
    const moderator = await aMember(shop, "moderator");
    expect((await retry({}, moderator)).status).toBe(403);
    expect((await read(moderator)).status).toBe(200);
    expect((await read(await aMember(shop, "viewer"))).status).toBe(403);
    const other = await aClient();
    const stranger = await aMember(other, "admin");
    expect((await retry({}, stranger)).status).toBe(404);
    const response = await call(sentOf, "GET", `/portal/api/v1/sent/review/${id}?client_id=${other.id}`, stranger);
    expect(response.status).toBe(404);
    expect((await retry({ delivery_id: "dlv_unknown" })).status).toBe(404);
  });
});

describe("what was sent for a review", () => {
  const getSent = async (shop: TestClient, kind: string, id: string) =>
    (
      await call(
        sentOf,
        "GET",
        `/portal/api/v1/sent/${kind}/${id}?client_id=${shop.id}`,
        await aMember(shop, "moderator"),
      )
    ).json.data;

  it("is explained if there is nothing", async () => {
    const plain = await aClient();
    expect(await getSent(plain, "review", await aReview(plain))).toEqual({ engagement: null, webhooks: [] });
    const { shop } = await connected();
    const sentForReview = async (given: Record<string, unknown>) =>
      (await getSent(shop, "review", await aReview(shop, given))).engagement;
    expect(await sentForReview({ source: "api" })).toEqual({ deliveries: [], untold: "imported" });
    expect(await sentForReview({ created_at: new Date("2020-01-01T00:00:00Z") })).toEqual({
      deliveries: [],
      untold: "before_connection",
    });
    expect(await sentForReview({})).toEqual({ deliveries: [], untold: "about_to" });
  });

  it("lists the webhook events of the review and no others", async () => {
    const { shop } = await connected();
    const [id, other] = [await aReview(shop), await aReview(shop)];
    await rowsOf(
      `insert into webhooks (client_id, id, url, sealed_url, events, secrets)
       values ($1, 'hook', 'https://hooks.example/in', '\\x00', '{review.created}', '\\x00') returning id`,
      [shop.id],
    );
    await rowsOf(
      `insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, state, attempts, due_at, error)
       select $1, 'hook', 'review.created', subject, '{}', now(), 'failed', 12, now(), 'Status 400.'
         from unnest($2::text[]) as subject returning id`,
      [shop.id, [id, other]],
    );
    expect((await getSent(shop, "review", id)).webhooks).toMatchObject([
      {
        id: "hook",
        url: "https://hooks.example/in",
        deliveries: [{ event: "review.created", subject: id, state: "failed", attempts: 12, error: "Status 400." }],
      },
    ]);
  });
});
