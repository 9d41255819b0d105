import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as collect from "@/app/collect/reviews/route";
import * as deletion from "@/app/v1/personal_data/delete/route";
import * as review from "@/app/v1/reviews/[id]/route";
import { functions } from "@/inngest";
import { inngest } from "@/inngest/client";
import { checkEngagement } from "@/lib/integrations/engagement/check-engagement";
import { deliverDueRecords } from "@/lib/integrations/engagement/deliver-due";
import { queueRemovals } from "@/lib/integrations/engagement/queue-removals";
import { queueReview } from "@/lib/integrations/engagement/queue-review";
import { isRetryable, retryEngagementDeliveries } from "@/lib/integrations/engagement/retry-engagement";
import {
  claimDue,
  finishDelivery,
  finishUnsentInteraction,
  renewLeases,
  rescheduleDelivery,
} from "@/lib/integrations/engagement/sql";
import { defaultTiming, type Timing } from "@/lib/integrations/engagement/timing";
import { readIntegrationWithSecrets, sealCredentials } from "@/lib/integrations/rows";
import { pool, transaction } from "@/lib/platform/db/pool";
import { runJobNow } from "@/lib/platform/jobs/run-job-now";
import { EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";
import { call } from "@/lib/tools/test/call";
import { aClient, rowsOf, someReviews, type TestClient, uniqueName } from "@/lib/tools/test/factories";
import { noticeInEnglish } from "@/lib/tools/test/notice-text";
import { killPrograms, startProgram } from "@/lib/tools/test/program";

// The fake platform behaves like a real tenant: strict, over HTTP, and failing on demand.

process.env.ALLOW_PRIVATE_URLS = "true";

/** Short times for tests: hundredths of seconds instead of seconds. */
const timing: Timing = {
  ...defaultTiming,
  timeout: 2_500, // a busy machine responds slowly as well
  defaultRetryAfter: 0.05,
  lease: 4_000,
  settle: 150,
  refusalPeriod: 0,
  backoff: [0.02, 0.05],
};

let fake: EngagementFake;
let base = "";
beforeAll(async () => {
  fake = new EngagementFake();
  base = await fake.listen();
});
afterAll(async () => {
  await killPrograms();
  await fake.close();
});
beforeEach(() => {
  for (const held of [fake.contacts, fake.schemas, fake.interactions]) held.clear();
  fake.requests.length = 0;
  fake.failures.length = 0;
  fake.failureFor = null;
  Object.assign(fake.modes, { createdStatus: 201, interactions: true, rate: 200, pageSize: 50 });
  fake.modes.attributes = ["reviewLatest", "reviewLatestValue", "reviewAverageGrade"];
});

async function connect(shop: Pick<TestClient, "id">, settings: Record<string, unknown> = {}): Promise<void> {
  await rowsOf(
    `insert into integrations (client_id, type, settings, secrets, created_at)
     values ($1, 'engagement', $2, $3, now() - interval '1 hour')`,
    [shop.id, JSON.stringify({ base_url: base, ...settings }), sealCredentials({ api_key: engagementKey })],
  );
}

async function connected(settings: Record<string, unknown> = {}) {
  const shop = await aClient();
  await connect(shop, settings);
  return shop;
}

const integrationOf = async (shop: TestClient) => {
  const integration = await readIntegrationWithSecrets(shop.id, "engagement");
  if (!integration) throw new Error("There is no integration.");
  return integration;
};

/** Delivers until nothing is pending, including postponed deliveries. */
async function work(shop: TestClient): Promise<void> {
  for (let turn = 1; turn <= 200; turn += 1) {
    const { nextInMs } = await deliverDueRecords(shop.id, { timing });
    if (nextInMs === null) return;
    await new Promise((resolve) => setTimeout(resolve, Math.min(nextInMs, 300)));
  }
  throw new Error("It does not end.");
}

type Overrides = Record<string, unknown>;

/** A review with the verified email of a contact, queued like by its outbox event. */
async function submitted(shop: TestClient, given: Overrides = {}): Promise<string> {
  const author_email = (given.author_email as string) ?? `${uniqueName("ada")}@example.org`;
  const [id = ""] = await someReviews(shop.id, [
    { source: "collect", verified_email: true, author_email, email_key: author_email.toLowerCase(), ...given },
  ]);
  await queueReview(shop.id, id);
  return id;
}

const deliveries = (shop: TestClient, subject: string) =>
  rowsOf(
    `select kind, outcome, reason, remote_id from deliveries where client_id = $1 and subject = $2 order by kind desc`,
    [shop.id, subject],
  );
/** Queues removals like the job does. */
async function queueOrphanRemovals(shop: TestClient): Promise<void> {
  for (const { data } of await rowsOf(
    "delete from outbox where name = 'engagement/orphaned' and client_id = $1 returning data",
    [shop.id],
  ))
    await queueRemovals(shop.id, data.remote);
}
const lines = (start: string) => fake.requests.filter(({ line }) => line.startsWith(start));
const patches = () => lines("PATCH").map(({ body }) => body);

describe("a review", () => {
  it("is sent to the contact as one interaction and three attributes", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "Ada+lamps@Example.org" });
    const id = await submitted(shop, {
      author_email: "ada+lamps@example.org",
      score: 4,
      extract: "Warm light.",
      created_at: new Date("2999-03-01T10:15:00.700Z"),
    });
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toMatchObject([
      {
        schemaId: "completedProductRating",
        createdDate: "2999-03-01T10:15:00Z",
        payload: { productSku: "sku-1", rating: 4, comment: "Warm light." },
      },
    ]);
    expect(ada.attributes).toEqual({
      reviewLatest: "2999-03-01T10:15:00Z",
      reviewLatestValue: 4,
      reviewAverageGrade: 4,
    });
    expect(Object.keys(patches()[0] as object).sort()).toEqual([
      "reviewAverageGrade",
      "reviewLatest",
      "reviewLatestValue",
    ]);
    expect(await deliveries(shop, id)).toEqual([
      { kind: "interaction", outcome: "sent", reason: null, remote_id: fake.interactionsOf(ada.id)[0]?.id },
      { kind: "attributes", outcome: "sent", reason: null, remote_id: ada.id },
    ]);
    expect(fake.schemas.get("completedProductRating")?.jsonSchema.properties).toMatchObject({
      productSku: { type: "string", displayName: "Sku", showInContactCard: "true", addToSegmentation: "true" },
      rating: { type: "integer", displayName: "Rating", showInContactCard: "true", addToSegmentation: "true" },
      comment: { type: "string", displayName: "Comment", showInContactCard: "true" },
    });
    // Whatever happens to it later, it was sent.
    await rowsOf(
      "update reviews set extract = 'Too warm.', accepted = true, accepted_at = now() where client_id = $1",
      [shop.id],
    );
    for (let time = 1; time <= 3; time += 1) expect(await queueReview(shop.id, id)).toBe("nothing");
    await work(shop);
    expect(lines("POST /api/v3/interactions")).toHaveLength(2); // the schema, and the one interaction
    expect((await rowsOf("select error, state from integrations where client_id = $1", [shop.id]))[0]).toMatchObject({
      error: null,
      state: { attributes: { ok: true } },
    });
  });

  it("is truncated between characters if it's long", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@long.example" });
    await submitted(shop, { author_email: "ada@long.example", extract: "💡".repeat(5_000) });
    await work(shop);
    const comment = fake.interactionsOf(ada.id)[0]?.payload.comment as string;
    expect(comment).toBe(`${"💡".repeat(3_999)}…`);
  });

  it("with an unverified email address waits until it is verified", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@confirm.example" });
    const id = await submitted(shop, { author_email: "ada@confirm.example", verified_email: false });
    await work(shop);
    expect(await deliveries(shop, id)).toMatchObject([{ outcome: "skipped", reason: "unverified_email" }]);
    expect(fake.requests).toEqual([]);
    await rowsOf("update reviews set verified_email = true where client_id = $1", [shop.id]);
    expect(await queueReview(shop.id, id)).toBe("due");
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
  });

  it("waits for acceptance if configured, and is sent once", async () => {
    const shop = await connected({ send_on: "acceptance" });
    const ada = fake.addContact({ email: "ada@accept.example" });
    const id = await submitted(shop, { author_email: "ada@accept.example" });
    await work(shop);
    expect(await deliveries(shop, id)).toMatchObject([{ outcome: "skipped", reason: "not_accepted" }]);
    for (const accepted of [true, false, true]) {
      await rowsOf("update reviews set accepted = $2, accepted_at = case when $2 then now() end where client_id = $1", [
        shop.id,
        accepted,
      ]);
      await queueReview(shop.id, id);
      await work(shop);
    }
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
  });

  it("isn't sent if it's imported, created by the API or older than the connection", async () => {
    const shop = await connected();
    fake.addContact({ email: "ada@import.example" });
    for (const source of ["import", "api"]) {
      const id = await submitted(shop, { source, author_email: "ada@import.example", verified_buyer: true });
      expect(await deliveries(shop, id)).toEqual([]);
    }
    const early = await submitted(shop, {
      author_email: "ada@import.example",
      created_at: new Date(Date.now() - 2 * 3_600_000),
    });
    expect(await deliveries(shop, early)).toEqual([]);
    await work(shop);
    expect(fake.requests).toEqual([]);
  });

  it("fails after a limited number of rejections, with the reason", async () => {
    const shop = await connected();
    fake.addContact({ email: "ada@refused.example" });
    fake.schemas.set("completedProductRating", {
      id: "completedProductRating",
      displayName: "Completed review",
      jsonSchema: {
        properties: { productSku: { type: "string" }, rating: { type: "integer" }, comment: { type: ["string"] } },
      },
    });
    const refuse = (n: number) =>
      fake.requests[n - 1]?.line.startsWith("POST /api/v3/interactions")
        ? { status: 422, message: "No\0t like\n\ud83d this." }
        : null;
    fake.failureFor = refuse;
    const id = await submitted(shop, { author_email: "ada@refused.example" });
    await work(shop);
    expect(await deliveries(shop, id)).toEqual([
      { kind: "interaction", outcome: "failed", reason: "refused", remote_id: null },
    ]);
    expect(lines("POST")).toHaveLength(3);
    // The platform's message is stored, except for characters that the database rejects.
    const [storedDelivery] = await rowsOf("select payload from deliveries where client_id = $1 and subject = $2", [
      shop.id,
      id,
    ]);
    expect(noticeInEnglish(storedDelivery?.payload.said)).toBe(
      "The platform responded with status 422 (Not like \ufffd this.).",
    );
  });

  it("is sent once even if its remote id can't be stored", async () => {
    const shop = await connected();
    fake.addContact({ email: "ada@odd.example" });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 201, id: "i\0\ud83d1" } : null;
    const id = await submitted(shop, { author_email: "ada@odd.example" });
    await work(shop);
    expect(await deliveries(shop, id)).toContainEqual({
      ...{ kind: "interaction", outcome: "sent", reason: null },
      remote_id: "i\ufffd1",
    });
    await work(shop);
    expect(lines("POST").filter(({ line }) => line === "POST /api/v3/interactions")).toHaveLength(1);
  });

  it("isn't recorded as sent if the platform returns an id that can't be stored", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@nul.example" });
    let answered = 0;
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" && answered++ === 0 ? { status: 201, id: "\0" } : null;
    const id = await submitted(shop, { author_email: "ada@nul.example" });
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    expect(await deliveries(shop, id)).toContainEqual({
      ...{ kind: "interaction", outcome: "sent", reason: null },
      remote_id: fake.interactionsOf(ada.id)[0]?.id,
    });
  });

  it.each(["\0", ""])("isn't sent twice if the platform lists it with such an id: %j", async (odd) => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@listed.example" });
    fake.failureFor = (n) => {
      for (const one of fake.interactionsOf(ada.id)) one.id = odd;
      return fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 503, after: true } : null;
    };
    const id = await submitted(shop, { author_email: "ada@listed.example" });
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    // The stored interaction belongs to the contact, whatever its id.
    expect(await deliveries(shop, id)).toEqual([
      { kind: "interaction", outcome: "failed", reason: "refused", remote_id: null },
      { kind: "attributes", outcome: "sent", reason: null, remote_id: ada.id },
    ]);
    expect(ada.attributes.reviewAverageGrade).toBe(5);
    // A manual retry finds it again; an erasure must search for it by the recorded post.
    expect(await transaction((db) => retryEngagementDeliveries(db, shop.id, null))).toBe(1);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    const [storedDelivery] = await rowsOf(
      "select outcome, payload from deliveries where client_id = $1 and subject = $2 and kind = 'interaction'",
      [shop.id, id],
    );
    expect(storedDelivery).toMatchObject({
      outcome: "failed",
      payload: { contact: ada.id, begun: expect.any(String) },
    });
  });

  it("updates the contact when the interaction is found again", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@again.example" });
    fake.failureFor = (n) => {
      for (const one of fake.interactionsOf(ada.id)) one.id = "";
      return fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 503, after: true } : null;
    };
    const id = await submitted(shop, { author_email: "ada@again.example" });
    await work(shop);
    await rowsOf("delete from deliveries where client_id = $1 and kind = 'attributes'", [shop.id]);
    ada.attributes = {};
    fake.failureFor = () => {
      for (const one of fake.interactionsOf(ada.id)) one.id = "named";
      return null;
    };
    expect(await transaction((db) => retryEngagementDeliveries(db, shop.id, null))).toBe(1);
    await work(shop);
    expect(await deliveries(shop, id)).toEqual([
      { kind: "interaction", outcome: "sent", reason: null, remote_id: "named" },
      { kind: "attributes", outcome: "sent", reason: null, remote_id: ada.id },
    ]);
    expect(ada.attributes.reviewAverageGrade).toBe(5);
  });
});

describe("the contact", () => {
  it("is looked up by the configured fields, in order", async () => {
    const byKey = fake.addContact({ customKey: "k+1" });
    const byEmail = fake.addContact({ email: "ada@order.example" });
    const given = { customer_id: "k+1", author_email: "ada@order.example" };
    for (const [contact_lookup, meant] of [
      [["customer_key", "email"], byKey],
      [["email", "customer_key"], byEmail],
      [["email"], byEmail],
    ] as const) {
      fake.interactions.clear();
      const shop = await connected({ contact_lookup });
      await submitted(shop, given);
      await work(shop);
      expect(fake.interactionsOf(meant.id)).toHaveLength(1);
      expect(fake.interactions.size).toBe(1);
    }
    const shop = await connected();
    await submitted(shop, { ...given, customer_id: "unknown" });
    await work(shop);
    expect(fake.interactionsOf(byEmail.id)).toHaveLength(2);
  });

  it.each([
    ["unknown", "no_contact", { author_email: "nobody@example.org" }],
    ["several", "ambiguous_contact", { author_email: "two@example.org" }],
    ["no address the platform takes", "no_contact", { author_email: "no address" }],
    ["nothing to look for", "no_email", { author_email: null, email_key: null, verified_buyer: true }],
  ])("%s: is skipped as %s", async (_, reason, given) => {
    const shop = await connected();
    for (let time = 1; time <= 2; time += 1) fake.addContact({ email: "two@example.org" });
    const [id = ""] = await someReviews(shop.id, [{ source: "collect", verified_email: true, ...given }]);
    await queueReview(shop.id, id);
    await work(shop);
    expect(await deliveries(shop, id)).toEqual([{ kind: "interaction", outcome: "skipped", reason, remote_id: null }]);
    expect(fake.interactions.size).toBe(0);
    expect(patches()).toEqual([]);
    expect(fake.contacts.size).toBe(2);
  });

  it("is matched by type if the tenant has several types", async () => {
    const shop = await connected({ contact_type: "Member" });
    const member = fake.addContact({ email: "both@example.org", type: "Member" });
    fake.addContact({ email: "both@example.org", type: "Contact" });
    await submitted(shop, { author_email: "both@example.org" });
    await work(shop);
    expect(fake.interactionsOf(member.id)).toHaveLength(1);
  });
});

describe("the aggregates", () => {
  const averages = (contact: { attributes: Record<string, unknown> }) => contact.attributes.reviewAverageGrade;

  it("cover all reviews of the person, computed from the database", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@sum.example" });
    const mine = { author_email: "ada@sum.example" };
    await someReviews(shop.id, [
      { source: "import", score: 1, date: "2020-01-01", email_key: "ada@sum.example", verified_email: true, ...mine },
      { source: "web", score: 1, email_key: "ada@sum.example", ...mine }, // another person who entered her address
      { source: "import", score: 1, email_key: "eve@sum.example", verified_email: true },
    ]);
    for (const score of [5, 5, 2]) await submitted(shop, { ...mine, score });
    await work(shop);
    expect(ada.attributes).toMatchObject({ reviewLatestValue: 2, reviewAverageGrade: 3.25 });
    expect(patches().flatMap((body) => Object.values(body as object))).not.toContain(null);
  });

  it("warn once if the tenant lacks the attributes, and no longer once it has them", async () => {
    const shop = await connected();
    fake.addContact({ email: "ada@warn.example" });
    fake.modes.attributes = ["reviewLatest"];
    for (let time = 1; time <= 2; time += 1) {
      await submitted(shop, { author_email: "ada@warn.example" });
      await work(shop);
    }
    const state = async () => (await integrationOf(shop)).state as { warning?: string };
    expect(noticeInEnglish((await state()).warning)).toMatch(
      /no contact attributes reviewLatestValue, reviewAverageGrade/,
    );
    expect(lines("GET /api/v3/contacts/").filter(({ line }) => !line.includes("/id?"))).toHaveLength(1);
    fake.modes.attributes = ["reviewLatest", "reviewLatestValue", "reviewAverageGrade"];
    await rowsOf(
      `update integrations set state = jsonb_set(state, '{attributes,at}', '"2020-01-01T00:00:00Z"') where client_id = $1`,
      [shop.id],
    );
    await submitted(shop, { author_email: "ada@warn.example" });
    await work(shop);
    expect((await state()).warning).toBeUndefined();
  });

  /** Processes outbox events and delivers, like the jobs do. */
  const processEvents = async (shop: TestClient) => {
    const facts = await rowsOf(
      "delete from outbox where name = 'engagement/review' and client_id = $1 returning id, data",
      [shop.id],
    );
    for (const { data } of facts.sort((one, other) => Number(one.id) - Number(other.id)))
      await queueReview(shop.id, data.review_id, data);
    await work(shop);
  };

  it("follow a score changed by the API, of a sent review and of one that only counts", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@changed.example" });
    const mine = { author_email: "ada@changed.example", email_key: "ada@changed.example", verified_email: true };
    const [imported = ""] = await someReviews(shop.id, [{ source: "import", score: 3, date: "2020-01-01", ...mine }]);
    const id = await submitted(shop, { ...mine, score: 5 });
    await work(shop);
    expect(averages(ada)).toBe(4);
    const change = (review_id: string, body: object) =>
      call(review, "PUT", `/v1/reviews/${review_id}`, { key: shop.key, body: { review: body } });
    expect((await change(id, { score: 2 })).status).toBe(200);
    await processEvents(shop);
    expect(ada.attributes).toMatchObject({ reviewLatestValue: 2, reviewAverageGrade: 2.5 });
    expect((await change(imported, { score: 1 })).status).toBe(200);
    await processEvents(shop);
    expect(ada.attributes).toMatchObject({ reviewLatestValue: 2, reviewAverageGrade: 1.5 });
    // If all reviews count, a decision changes nothing, so no contact is sent again.
    const before = patches().length;
    expect((await change(id, { accepted: true })).status).toBe(200);
    await processEvents(shop);
    expect(patches()).toHaveLength(before);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
  });

  it("are sent again if they change while being sent", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@meanwhile.example" });
    const id = await submitted(shop, { author_email: "ada@meanwhile.example", score: 5 });
    await work(shop);
    await rowsOf("update reviews set score = 1 where id = $1", [id]);
    await queueReview(shop.id, id, { changed: true });
    // A worker claimed it and computed the values, and then the score changed: its result doesn't count.
    const [claimed] = await claimDue(shop.id, ["attributes"], 1, 60_000);
    await rowsOf("update reviews set score = 2 where id = $1", [id]);
    await queueReview(shop.id, id, { changed: true });
    expect(await finishDelivery(claimed!, { outcome: "sent" })).toBe(false);
    await work(shop);
    expect(averages(ada)).toBe(2);
  });

  it("of a contact known only by customer key include the customer's email address", async () => {
    const shop = await connected();
    const ada = fake.addContact({ customKey: "C-77" });
    await rowsOf("insert into customers (client_id, id, email, email_key, id_hash) values ($1, 'C-77', $2, $3, 'x')", [
      shop.id,
      "Ada@key.example",
      "ada@key.example",
    ]);
    await submitted(shop, {
      customer_id: "C-77",
      verified_buyer: true,
      verified_email: false,
      author_email: null,
      score: 5,
    });
    await work(shop);
    expect(averages(ada)).toBe(5);
    // With her email address, which the platform doesn't know: sent to no contact, but hers.
    const [later = ""] = await someReviews(shop.id, [
      { source: "web", score: 2, author_email: "ada@key.example", email_key: "ada@key.example" },
    ]);
    await queueReview(shop.id, later, { changed: true });
    await work(shop);
    expect(averages(ada)).toBe(5); // anyone can enter an address
    await rowsOf("update reviews set verified_email = true where id = $1", [later]);
    await queueReview(shop.id, later, { changed: true });
    await work(shop);
    expect(averages(ada)).toBe(3.5);
    expect((await deliveries(shop, later))[0]).toMatchObject({ kind: "interaction", reason: "no_contact" });
  });

  it("follow deletions, and are cleared with the last review", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@gone.example" });
    const one = await submitted(shop, { author_email: "ada@gone.example", score: 5 });
    const other = await submitted(shop, { author_email: "ada@gone.example", score: 2 });
    await work(shop);
    expect(averages(ada)).toBe(3.5);
    const remove = async (id: string) => {
      expect((await call(review, "DELETE", `/v1/reviews/${id}`, { key: shop.key })).status).toBe(204);
      expect(await queueReview(shop.id, id)).toBe("nothing");
      const facts = await rowsOf(
        "delete from outbox where name = 'engagement/orphaned' and client_id = $1 returning data",
        [shop.id],
      );
      for (const { data } of facts) await queueRemovals(shop.id, data.remote);
      await work(shop);
    };
    await remove(one);
    expect(averages(ada)).toBe(2);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    await remove(other);
    expect(ada.attributes).toEqual({ reviewLatest: null, reviewLatestValue: null, reviewAverageGrade: null });
    expect(fake.interactionsOf(ada.id)).toEqual([]);
    expect(await rowsOf("select kind from deliveries where client_id = $1", [shop.id])).toEqual([]);
  });
});

describe("failures", () => {
  /** The first posted interaction fails this way, everything else succeeds. */
  const once = (failure: Parameters<typeof fake.failures.push>[0]) => {
    let met = false;
    fake.failureFor = (n) => {
      const isPost = fake.requests[n - 1]?.line === "POST /api/v3/interactions";
      if (met || !isPost) return null;
      met = true;
      return failure;
    };
  };

  it.each([
    ["refuses for now", { status: 429 }],
    ["is down", { status: 503, html: true }],
    ["fails after the work", { status: 500, after: true }],
    ["is cut off before", "cut"],
    ["is cut off after the work", "cut after"],
    ["never answers", "never answer"],
    ["answers too late", { slow: 1_200 }],
    ["answers slowly", "slow body"],
  ] as const)("posts one interaction to a platform that %s", async (_, failure) => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@trouble.example" });
    once(failure);
    const id = await submitted(shop, { author_email: "ada@trouble.example" });
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    expect(await deliveries(shop, id)).toMatchObject([
      { outcome: "sent", remote_id: fake.interactionsOf(ada.id)[0]?.id },
      { outcome: "sent" },
    ]);
    expect(ada.attributes.reviewAverageGrade).toBe(5);
  });

  it("accepts a response 200 instead of 201", async () => {
    const shop = await connected();
    fake.modes.createdStatus = 200;
    const ada = fake.addContact({ email: "ada@made.example" });
    const id = await submitted(shop, { author_email: "ada@made.example" });
    await work(shop);
    expect(await deliveries(shop, id)).toMatchObject([
      { remote_id: fake.interactionsOf(ada.id)[0]?.id },
      { outcome: "sent" },
    ]);
    expect(lines("POST /api/v3/interactions")).toHaveLength(2); // the schema, and the one interaction
  });

  it("doesn't count temporary errors as rejections, so that a lost schema is created again", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@later.example" });
    const failures = [{ status: 503 }, { status: 503 }, { status: 422 }];
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? (failures.shift() ?? null) : null;
    const id = await submitted(shop, { author_email: "ada@later.example" });
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    expect(await deliveries(shop, id)).toMatchObject([{ outcome: "sent" }, { outcome: "sent" }]);
  });

  it("waits until a gateway's back end must have finished before searching for the post", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@gateway.example" });
    once({ status: 504 });
    await submitted(shop, { author_email: "ada@gateway.example" });
    const patient = { timing: { ...timing, settle: 60_000 } };
    const dueAtOnce = () => rowsOf("update deliveries set due_at = now() where client_id = $1", [shop.id]);
    await deliverDueRecords(shop.id, patient);
    // The back end completes the request after the gateway timed out.
    const late = { id: "late", contactId: ada.id, schemaId: "completedProductRating" };
    const { body } = fake.requests.find(({ line }) => line === "POST /api/v3/interactions") ?? {};
    await dueAtOnce();
    await deliverDueRecords(shop.id, patient);
    fake.interactions.set(late.id, { ...(body as object), ...late } as never);
    await dueAtOnce();
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toMatchObject([{ id: "late" }]);
  });

  it("searches all pages before a second post, ignoring interactions of other reviews", async () => {
    const shop = await connected();
    fake.modes.pageSize = 2;
    const ada = fake.addContact({ email: "ada@pages.example" });
    const same = { author_email: "ada@pages.example", created_at: new Date("2999-01-01T00:00:00Z") };
    for (let time = 1; time <= 5; time += 1) await submitted(shop, { ...same, extract: "The same." });
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(5);
    once({ status: 502, after: true });
    await submitted(shop, { ...same, extract: "The same." });
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(6);
    expect(lines("GET /api/v3/interactions?")).toHaveLength(3);
    const known = await rowsOf(
      "select distinct remote_id from deliveries where client_id = $1 and kind = 'interaction'",
      [shop.id],
    );
    expect(known).toHaveLength(6);
  });

  it("doesn't post twice if the review is edited while the outcome is unknown", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@edited.example" });
    const id = await submitted(shop, { author_email: "ada@edited.example", extract: "As it was." });
    once({ status: 500, after: true });
    await deliverDueRecords(shop.id, { timing });
    await rowsOf("update reviews set extract = 'As it is.', score = 2 where client_id = $1", [shop.id]);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toMatchObject([{ payload: { comment: "As it was." } }]);
    expect((await deliveries(shop, id))[0]).toMatchObject({
      outcome: "sent",
      remote_id: fake.interactionsOf(ada.id)[0]?.id,
    });
    expect(ada.attributes.reviewAverageGrade).toBe(2);
  });

  it("doesn't post twice if the search returns a proxy's page", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@elsewhere.example" });
    await submitted(shop, { author_email: "ada@elsewhere.example" });
    let searchCount = 0;
    fake.failureFor = (n) => {
      const line = fake.requests[n - 1]?.line ?? "";
      if (line === "POST /api/v3/interactions") return { status: 500, after: true };
      return line.startsWith("GET /api/v3/interactions?") && ++searchCount === 1 ? { status: 404, html: true } : null;
    };
    await work(shop);
    expect(searchCount).toBe(2);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
  });

  it.each([404, 410])("retries if the post returns a proxy's page, however often: %i", async (status) => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@page.example" });
    const id = await submitted(shop, { author_email: "ada@page.example" });
    let left = 5;
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" && left-- > 0 ? { status, html: true } : null;
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    expect(await deliveries(shop, id)).toMatchObject([{ outcome: "sent" }, { outcome: "sent" }]);
    // It says nothing about the platform, which is asked each time.
    expect(lines("GET /api/v3/interactions?")).toHaveLength(5);
  });

  it("creates no schema if the request returns a proxy's page, and shows the error", async () => {
    const shop = await connected();
    fake.addContact({ email: "ada@no-schema.example" });
    await submitted(shop, { author_email: "ada@no-schema.example" });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line.startsWith("GET /api/v3/interactionschemas/") ? { status: 404, html: true } : null;
    await deliverDueRecords(shop.id, { timing });
    expect(lines("POST")).toEqual([]);
    const checks = await checkEngagement(await integrationOf(shop));
    expect(checks).toMatchObject([{ ok: true }, { ok: false, message: "The platform responded with status 404." }]);
    fake.failureFor = null;
    await work(shop);
    expect(fake.interactions.size).toBe(1);
  });

  it.each(["it", "all"])("gives up after days, until a manual retry of %s", async (which) => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@days.example" });
    const id = await submitted(shop, { author_email: "ada@days.example" });
    fake.failureFor = (n) => (fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 500 } : null);
    await deliverDueRecords(shop.id, { timing });
    await rowsOf("update deliveries set created_at = now() - interval '4 days' where client_id = $1", [shop.id]);
    await work(shop);
    expect(await deliveries(shop, id)).toMatchObject([
      { kind: "interaction", outcome: "failed" },
      { kind: "attributes", outcome: "failed", remote_id: ada.id },
    ]);
    // A manual retry sends it, and then the contact's attributes.
    fake.failureFor = null;
    fake.requests.length = 0;
    const [{ id: given }] = await rowsOf("select id from deliveries where client_id = $1 and kind = 'interaction'", [
      shop.id,
    ]);
    expect(await transaction((db) => retryEngagementDeliveries(db, shop.id, which === "it" ? given : null))).toBe(1);
    await work(shop);
    const writes = fake.requests.map(({ line }) => line.split("/")[0]).filter((line) => /POST|PATCH/.test(line ?? ""));
    expect(writes).toEqual(["POST ", "PATCH "]);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    expect(await deliveries(shop, id)).toMatchObject([{ outcome: "sent" }, { kind: "attributes", outcome: "sent" }]);
  });

  it("leaves no attributes of a rejected review after a retry, since they would count in the average", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@refused-days.example" });
    const id = await submitted(shop, { author_email: "ada@refused-days.example" });
    fake.failureFor = (n) => (fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 500 } : null);
    await deliverDueRecords(shop.id, { timing });
    await rowsOf("update deliveries set created_at = now() - interval '4 days' where client_id = $1", [shop.id]);
    await work(shop);
    expect(await deliveries(shop, id)).toMatchObject([
      { kind: "interaction", outcome: "failed" },
      { kind: "attributes", outcome: "failed", remote_id: ada.id },
    ]);
    fake.failureFor = (n) => (fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 422 } : null);
    expect(await transaction((db) => retryEngagementDeliveries(db, shop.id, null))).toBe(1);
    await rowsOf("update deliveries set created_at = now() where client_id = $1", [shop.id]);
    await work(shop);
    expect(await deliveries(shop, id)).toEqual([
      { kind: "interaction", outcome: "failed", reason: "refused", remote_id: null },
    ]);
  });

  it("doesn't post while a killed worker's post may be in progress", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@died.example" });
    const id = await submitted(shop, { author_email: "ada@died.example" });
    await rowsOf("update deliveries set attempts = 1, payload = $2 where client_id = $1 and subject = $3", [
      shop.id,
      JSON.stringify({ contact: ada.id, begun: new Date(Date.now() + 300).toISOString() }),
      id,
    ]);
    await deliverDueRecords(shop.id, { timing });
    expect(fake.requests).toEqual([]);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
  });

  it("stops all deliveries if the key is rejected, and shows the reason until it is fixed", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@key.example" });
    await rowsOf("update integrations set secrets = $2 where client_id = $1", [
      shop.id,
      sealCredentials({ api_key: "another" }),
    ]);
    const id = await submitted(shop, { author_email: "ada@key.example" });
    await deliverDueRecords(shop.id, { timing });
    expect(await deliveries(shop, id)).toMatchObject([{ outcome: "pending", reason: "key_refused" }]);
    const [row] = await rowsOf("select error from integrations where client_id = $1", [shop.id]);
    expect(noticeInEnglish(row?.error)).toMatch(/rejected the API key/);
    await rowsOf("update integrations set secrets = $2 where client_id = $1", [
      shop.id,
      sealCredentials({ api_key: engagementKey }),
    ]);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    expect((await rowsOf("select error from integrations where client_id = $1", [shop.id]))[0]?.error).toBeNull();
  });

  it("keeps deliveries and erasures while credentials are unreadable", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@lost.example" });
    const gone = await submitted(shop, { author_email: "ada@lost.example", extract: "Gone." });
    await work(shop);
    const [sentInteraction] = fake.interactionsOf(ada.id);
    await rowsOf("update integrations set secrets = '\\x0102030405' where client_id = $1", [shop.id]);
    await rowsOf("delete from reviews where client_id = $1 and id = $2", [shop.id, gone]);
    expect(await queueReview(shop.id, gone)).toBe("nothing");
    expect(await queueRemovals(shop.id, [{ kind: "interaction", id: sentInteraction?.id ?? "" }])).toBe(1);
    await submitted(shop, { author_email: "ada@lost.example", extract: "Kept." });
    fake.requests.length = 0;
    expect(await deliverDueRecords(shop.id, { timing })).toEqual({ counts: {}, nextInMs: null });
    expect(fake.requests).toEqual([]);
    const [row] = await rowsOf("select error from integrations where client_id = $1", [shop.id]);
    expect(noticeInEnglish(row?.error)).toMatch(/can’t be decrypted/);
    await rowsOf("update integrations set secrets = $2 where client_id = $1", [
      shop.id,
      sealCredentials({ api_key: engagementKey }),
    ]);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toMatchObject([{ payload: { comment: "Kept." } }]);
  });

  it("stops deliveries with an incompatible schema, explains why, and leaves the schema alone", async () => {
    const shop = await connected();
    fake.addContact({ email: "ada@schema.example" });
    const theirs = {
      id: "completedProductRating",
      displayName: "Theirs",
      jsonSchema: { properties: { stars: { type: "integer" } } },
    };
    fake.schemas.set(theirs.id, theirs);
    const id = await submitted(shop, { author_email: "ada@schema.example" });
    await deliverDueRecords(shop.id, { timing });
    expect(await deliveries(shop, id)).toMatchObject([{ outcome: "pending", reason: "schema_differs" }]);
    expect(fake.schemas.get(theirs.id)).toEqual(theirs);
    expect(lines("DELETE")).toEqual([]);
    const checks = await checkEngagement(await integrationOf(shop));
    expect(checks.map(({ ok }) => ok)).toEqual([true, false]);
    expect(checks[1]?.message).toMatch(/no property rating/);
    await rowsOf(`update integrations set settings = settings || '{"schema_id":"candorReview"}' where client_id = $1`, [
      shop.id,
    ]);
    await work(shop);
    expect([...fake.interactions.values()]).toMatchObject([{ schemaId: "candorReview" }]);
  });

  it("sends everything once with three workers", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@two.example" });
    for (let time = 1; time <= 12; time += 1)
      await submitted(shop, { author_email: "ada@two.example", score: 1 + (time % 5) });
    await Promise.all([work(shop), work(shop), work(shop)]);
    expect(fake.interactionsOf(ada.id)).toHaveLength(12);
    expect(ada.attributes.reviewAverageGrade).toBe(2.92);
    expect(fake.peakRate).toBeLessThan(50);
  });

  it("changes nothing after losing a lease", async () => {
    const shop = await connected();
    fake.addContact({ email: "ada@overtaken.example" });
    const id = await submitted(shop, { author_email: "ada@overtaken.example" });
    const [slow] = await claimDue(shop.id, ["interaction"], 1, 0);
    if (!slow) throw new Error("Nothing was due.");
    await work(shop);
    const deliveriesBefore = await deliveries(shop, id);
    await rowsOf(
      "update deliveries set outcome = 'pending', due_at = now() where client_id = $1 and kind = 'attributes'",
      [shop.id],
    );
    expect(await finishUnsentInteraction(slow, { outcome: "failed", reason: "unavailable" })).toBe(false);
    await work(shop);
    expect(await deliveries(shop, id)).toEqual(deliveriesBefore);
  });

  it("keeps due deliveries while paused", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@pause.example" });
    await rowsOf("update integrations set enabled = false where client_id = $1", [shop.id]);
    const id = await submitted(shop, { author_email: "ada@pause.example" });
    await work(shop);
    expect(await deliveries(shop, id)).toMatchObject([{ outcome: "pending" }]);
    await rowsOf("update integrations set enabled = true where client_id = $1", [shop.id]);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
  });
});

describe("an erasure", () => {
  const erase = async (shop: TestClient, email: string) => {
    for (let time = 1; time <= 5; time += 1) {
      const { status } = await call(deletion, "POST", "/v1/personal_data/delete", { key: shop.key, body: { email } });
      if (status === 204) break;
    }
    await queueOrphanRemovals(shop);
  };

  it("deletes the interactions and clears the aggregates, even while paused", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@erase.example" });
    const bo = fake.addContact({ email: "bo@erase.example" });
    for (const author_email of ["ada@erase.example", "ada@erase.example", "bo@erase.example"])
      await submitted(shop, { author_email });
    await work(shop);
    await rowsOf("update integrations set enabled = false where client_id = $1", [shop.id]);
    await erase(shop, "ada@erase.example");
    fake.failures.push({ status: 503 }, "cut after");
    for (let turn = 1; turn <= 10; turn += 1) {
      await deliverDueRecords(shop.id, { timing });
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(fake.interactionsOf(ada.id)).toEqual([]);
    expect(ada.attributes).toEqual({ reviewLatest: null, reviewLatestValue: null, reviewAverageGrade: null });
    expect(fake.interactionsOf(bo.id)).toHaveLength(1);
    expect(bo.attributes.reviewAverageGrade).toBe(5);
    const left = await rowsOf("select kind from deliveries where client_id = $1", [shop.id]);
    expect(left.map(({ kind }) => kind).sort()).toEqual(["attributes", "interaction"]);
  });

  it("finds an interaction whose response was lost", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@unsure.example" });
    await submitted(shop, { author_email: "ada@unsure.example" });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 500, after: true } : null;
    await deliverDueRecords(shop.id, { timing });
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    fake.failureFor = null;
    await erase(shop, "ada@unsure.example");
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toEqual([]);
    expect(await rowsOf("select kind from deliveries where client_id = $1", [shop.id])).toEqual([]);
  });

  it("finds it even if the worker processes the deleted review before its outbox event", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@sooner.example" });
    const id = await submitted(shop, { author_email: "ada@sooner.example" });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 500, after: true } : null;
    await deliverDueRecords(shop.id, { timing });
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
    fake.failureFor = null;
    expect((await call(review, "DELETE", `/v1/reviews/${id}`, { key: shop.key })).status).toBe(204);
    await work(shop);
    expect(await queueReview(shop.id, id)).toBe("nothing");
    await queueOrphanRemovals(shop);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toEqual([]);
    expect(await rowsOf("select kind from deliveries where client_id = $1", [shop.id])).toEqual([]);
  });

  /** Remaining erasures with their outcome and the platform's message. */
  const removals = async (shop: TestClient) => {
    const rows = await rowsOf(
      `select id, kind, outcome, reason, payload->>'said' as said from deliveries
        where client_id = $1 and kind not in ('interaction', 'attributes') order by id`,
      [shop.id],
    );
    return rows.map((row) => ({ ...row, said: noticeInEnglish(row.said) }));
  };
  const unnamed = "The platform gave the interaction an ID that can’t be used in a URL.";

  it.each(["", ".", ".."])(
    "fails with a reason if the posted interaction has an id that can't be addressed: %j",
    async (odd) => {
      const shop = await connected();
      const ada = fake.addContact({ email: "ada@nameless.example" });
      await submitted(shop, { author_email: "ada@nameless.example" });
      fake.failureFor = (n) => {
        for (const one of fake.interactionsOf(ada.id)) one.id = odd;
        return fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 500, after: true } : null;
      };
      await deliverDueRecords(shop.id, { timing });
      await erase(shop, "ada@nameless.example");
      await work(shop);
      expect(lines("DELETE")).toEqual([]);
      expect(await removals(shop)).toMatchObject([
        { kind: "interaction.search", outcome: "failed", reason: "refused", said: unnamed },
      ]);
    },
  );

  it.each([".", ".."])("deletes nothing else if the id was %j", async (odd) => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@dots.example" });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 201, id: odd } : null;
    const id = await submitted(shop, { author_email: "ada@dots.example" });
    await work(shop);
    expect((await deliveries(shop, id))[0]).toMatchObject({ outcome: "sent", remote_id: odd });
    await erase(shop, "ada@dots.example");
    await work(shop);
    expect(lines("DELETE")).toEqual([]);
    expect(await removals(shop)).toMatchObject([
      { kind: "interaction.removal", outcome: "failed", reason: "refused", said: unnamed },
    ]);
    expect(ada.attributes.reviewAverageGrade).toBeNull();
  });

  /** The platform rejects the deletion of `odd` with this status. */
  const refusing = (odd: string, status: number) => (n: number) =>
    fake.requests[n - 1]?.line === `DELETE /api/v3/interactions/${odd}` ? { status } : null;

  it("deletes the other interactions of a second if one is rejected, and fails with that error", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@both.example" });
    const given = { author_email: "ada@both.example", created_at: new Date("2999-01-01T12:00:00Z") };
    for (const score of [1, 5]) await submitted(shop, { ...given, score });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 500, after: true } : null;
    await deliverDueRecords(shop.id, { timing });
    const [first, last] = fake.interactionsOf(ada.id);
    fake.interactions.clear();
    if (first) fake.interactions.set("\0", { ...first, id: "\0" });
    if (last) fake.interactions.set(last.id, last);
    expect(fake.interactionsOf(ada.id)[0]?.id).toBe("\0");
    fake.failureFor = refusing("\0", 400);
    await erase(shop, "ada@both.example");
    await work(shop);
    expect(fake.interactionsOf(ada.id).map(({ id }) => id)).toEqual(["\0"]);
    const failed = { kind: "interaction.search", outcome: "failed", reason: "refused" };
    const left = await removals(shop);
    expect(left).toMatchObject([{ ...failed, said: "The platform responded with status 400." }]);
    expect(lines("DELETE /api/v3/interactions/\0")).toHaveLength(3);
    // A person can retry it once the platform accepts the deletion.
    expect(left.every(isRetryable)).toBe(true);
    fake.failureFor = null;
    expect(await transaction((db) => retryEngagementDeliveries(db, shop.id, null))).toBe(1);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toEqual([]);
    expect(await removals(shop)).toEqual([]);
  });

  it("isn't given up before the platform has rejected it for a day", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@day.example" });
    await submitted(shop, { author_email: "ada@day.example" });
    await work(shop);
    fake.failureFor = refusing(fake.interactionsOf(ada.id)[0]?.id ?? "", 400);
    await erase(shop, "ada@day.example");
    const patient = { timing: { ...timing, refusalPeriod: defaultTiming.refusalPeriod } };
    const again = async () => {
      await rowsOf("update deliveries set due_at = now() where client_id = $1", [shop.id]);
      await deliverDueRecords(shop.id, patient);
    };
    for (let time = 1; time <= 5; time += 1) await again();
    expect(lines("DELETE")).toHaveLength(5);
    expect(await removals(shop)).toMatchObject([{ kind: "interaction.removal", outcome: "pending" }]);
    const sinceYesterday = () =>
      rowsOf(
        `update deliveries set payload = payload || jsonb_build_object('refused', $2::text)
          where client_id = $1 and kind = 'interaction.removal' and payload ? 'refused'`,
        [shop.id, new Date(Date.now() - 25 * 3_600_000).toISOString()],
      );
    // After an interruption, the platform may reject again for a while.
    await sinceYesterday();
    const refused = fake.failureFor;
    fake.failureFor = refusing(fake.interactionsOf(ada.id)[0]?.id ?? "", 503);
    await again();
    fake.failureFor = refused;
    for (let time = 1; time <= 4; time += 1) await again();
    expect(await removals(shop)).toMatchObject([{ outcome: "pending" }]);
    await sinceYesterday();
    // No response doesn't count: otherwise one lost connection per day would postpone it forever. Neither does a
    // gateway timeout.
    for (const none of ["cut", { status: 408 }, { status: 502 }, { status: 504 }] as const) {
      fake.failureFor = (n) => (fake.requests[n - 1]?.line.startsWith("DELETE") ? none : null);
      await again();
      expect(await removals(shop)).toMatchObject([{ outcome: "pending" }]);
    }
    fake.failureFor = refused;
    await again();
    expect(await removals(shop)).toMatchObject([{ outcome: "failed", reason: "refused" }]);
    // A manual retry starts another day.
    expect(await transaction((db) => retryEngagementDeliveries(db, shop.id, null))).toBe(1);
    for (let time = 1; time <= 4; time += 1) await again();
    expect(await removals(shop)).toMatchObject([{ outcome: "pending" }]);
  });

  it.each(["cut", "cut after"] as const)("stops after a request without response: %s", async (failure) => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@silent.example" });
    const given = { author_email: "ada@silent.example", created_at: new Date("2999-01-01T12:00:00Z") };
    for (const score of [1, 5]) await submitted(shop, { ...given, score });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 500, after: true } : null;
    await deliverDueRecords(shop.id, { timing });
    await erase(shop, "ada@silent.example");
    await rowsOf(
      "update deliveries set created_at = now() - interval '1 hour' where client_id = $1 and kind = 'interaction.search'",
      [shop.id],
    );
    fake.failureFor = (n) => (fake.requests[n - 1]?.line.startsWith("DELETE") ? failure : null);
    await deliverDueRecords(shop.id, { timing });
    expect(lines("DELETE")).toHaveLength(1);
    fake.failureFor = null;
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toEqual([]);
    expect(await removals(shop)).toEqual([]);
  });

  it("is retried after a rejection if it's requested again", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@anew.example" });
    await submitted(shop, { author_email: "ada@anew.example" });
    await work(shop);
    const id = fake.interactionsOf(ada.id)[0]?.id ?? "";
    fake.failureFor = refusing(id, 422);
    await erase(shop, "ada@anew.example");
    await work(shop);
    expect(await removals(shop)).toMatchObject([{ kind: "interaction.removal", outcome: "failed", reason: "refused" }]);
    fake.failureFor = null;
    await queueRemovals(shop.id, [{ kind: "interaction", id }]);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toEqual([]);
    expect(await removals(shop)).toEqual([]);
  });

  it.each([429, 500, 409])("is retried after temporary errors, however often they occur: %i", async (status) => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@pass.example" });
    await submitted(shop, { author_email: "ada@pass.example" });
    await work(shop);
    const id = fake.interactionsOf(ada.id)[0]?.id ?? "";
    let left = 5;
    fake.failureFor = (n) => {
      const failure = left > 0 ? refusing(id, status)(n) : null;
      if (failure) left -= 1;
      return failure;
    };
    await erase(shop, "ada@pass.example");
    await work(shop);
    expect(left).toBe(0);
    expect(fake.interactionsOf(ada.id)).toEqual([]);
    expect(await removals(shop)).toEqual([]);
  });

  it("waits if the request returns a proxy's page", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@resting.example" });
    await submitted(shop, { author_email: "ada@resting.example" });
    await work(shop);
    const resting = new Set(["DELETE", "PATCH"]);
    fake.failureFor = (n) => {
      const [method = ""] = (fake.requests[n - 1]?.line ?? "").split(" ");
      return resting.delete(method) ? { status: 404, html: true } : null;
    };
    await erase(shop, "ada@resting.example");
    await work(shop);
    expect(resting.size).toBe(0);
    expect(fake.interactionsOf(ada.id)).toEqual([]);
    expect(ada.attributes.reviewAverageGrade).toBeNull();
    expect(await removals(shop)).toEqual([]);
  });

  it.each([404, 410])("is done if the interaction no longer exists: %i", async (status) => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@done.example" });
    await submitted(shop, { author_email: "ada@done.example" });
    await work(shop);
    fake.failureFor = refusing(fake.interactionsOf(ada.id)[0]?.id ?? "", status);
    await erase(shop, "ada@done.example");
    await work(shop);
    expect(lines("DELETE")).toHaveLength(1);
    expect(await removals(shop)).toEqual([]);
  });
});

describe("an erasure of one of two reviews of the same second", () => {
  const remove = async (shop: TestClient, id: string) => {
    expect((await call(review, "DELETE", `/v1/reviews/${id}`, { key: shop.key })).status).toBe(204);
    expect(await queueReview(shop.id, id)).toBe("nothing");
    await queueOrphanRemovals(shop);
  };
  /** Two posted reviews of a person with unknown outcomes: one star, to be erased, and five stars, to stay. */
  const twoPosted = async (email: string) => {
    const shop = await connected();
    const ada = fake.addContact({ email });
    const given = { author_email: email, created_at: new Date("2999-01-01T12:00:00Z") };
    const gone = await submitted(shop, { ...given, score: 1 });
    const stays = await submitted(shop, { ...given, score: 5 });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 500, after: true } : null;
    await deliverDueRecords(shop.id, { timing });
    fake.failureFor = null;
    expect(fake.interactionsOf(ada.id)).toHaveLength(2);
    return { shop, ada, gone, stays };
  };
  const giveUp = (shop: TestClient, id: string) =>
    rowsOf("update deliveries set outcome = 'failed', due_at = null where client_id = $1 and subject = $2", [
      shop.id,
      id,
    ]);

  it("keeps the other interaction, whose outcome is unknown too", async () => {
    const { shop, ada, gone, stays } = await twoPosted("ada@second.example");
    // Long until the search for the one that stays.
    const [{ due_at: due } = { due_at: null }] = await rowsOf(
      `update deliveries set due_at = now() + interval '1 hour' where client_id = $1 and subject = $2 and kind = 'interaction'
       returning due_at`,
      [shop.id, stays],
    );
    expect(due).not.toBeNull();
    await remove(shop, gone);
    for (let turn = 1; turn <= 4; turn += 1) {
      await deliverDueRecords(shop.id, { timing });
      await new Promise((resolve) => setTimeout(resolve, timing.settle));
    }
    expect(fake.interactionsOf(ada.id)).toHaveLength(2);
    await rowsOf("update deliveries set due_at = now() where client_id = $1 and subject = $2", [shop.id, stays]);
    await work(shop);
    expect(fake.interactionsOf(ada.id).map(({ payload }) => payload.rating)).toEqual([5]);
  });

  it.each(["as it was posted", "edited since"])(
    "keeps the interaction of a failed delivery, which may exist: %s",
    async (how) => {
      const { shop, ada, gone, stays } = await twoPosted("ada@given-up.example");
      await giveUp(shop, stays);
      if (how === "edited since")
        await rowsOf("update reviews set extract = 'Another.' where client_id = $1 and id = $2", [shop.id, stays]);
      await remove(shop, gone);
      await work(shop);
      expect(fake.interactionsOf(ada.id).map(({ payload }) => payload.rating)).toEqual([5]);
    },
  );

  it("keeps the interaction of a delivery that is retried manually meanwhile", async () => {
    const { shop, ada, gone, stays } = await twoPosted("ada@by-hand.example");
    const posted = fake.interactionsOf(ada.id).find(({ payload }) => payload.rating === 5)?.id ?? "";
    await giveUp(shop, stays);
    await remove(shop, gone);
    // Right after the first query for posts without a recorded id.
    const ask = pool().query.bind(pool()) as (text: unknown, values?: unknown) => Promise<unknown>;
    let tried = 0;
    const spy = vi.spyOn(pool(), "query").mockImplementation((async (text: unknown, values?: unknown) => {
      const answer = await ask(text, values);
      if (typeof text === "string" && text.includes("payload->>'created' = ") && tried++ === 0)
        await transaction((db) => retryEngagementDeliveries(db, shop.id, null));
      return answer;
    }) as never);
    try {
      await work(shop);
    } finally {
      spy.mockRestore();
    }
    expect(tried).toBeGreaterThan(0);
    // The same interaction that was posted: if it had been deleted, its worker would have posted it again.
    expect(fake.interactionsOf(ada.id).map(({ id }) => id)).toEqual([posted]);
    expect(lines("POST /api/v3/interactions").filter(({ body }) => body && "payload" in (body as object))).toHaveLength(
      2,
    );
    expect((await deliveries(shop, stays))[0]).toMatchObject({ outcome: "sent", remote_id: posted });
  });

  it("removes failed deliveries from the contact's aggregates, which may have been sent with another review", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@both.example" });
    const given = { author_email: "ada@both.example" };
    const lost = await submitted(shop, { ...given, score: 1 });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line === "POST /api/v3/interactions" ? { status: 500, after: true } : null;
    await deliverDueRecords(shop.id, { timing });
    fake.failureFor = (n) =>
      fake.requests[n - 1]?.line.startsWith("GET /api/v3/interactions?") ? { status: 500 } : null;
    await rowsOf("update deliveries set created_at = now() - interval '4 days' where client_id = $1", [shop.id]);
    await work(shop);
    expect((await deliveries(shop, lost))[0]).toMatchObject({ outcome: "failed" });
    fake.failureFor = null;
    await submitted(shop, { ...given, score: 5 });
    await work(shop);
    expect(ada.attributes.reviewAverageGrade).toBe(3);
    await remove(shop, lost);
    await work(shop);
    expect(ada.attributes.reviewAverageGrade).toBe(5);
    expect(fake.interactionsOf(ada.id).map(({ payload }) => payload.rating)).toEqual([5]);
  });
});

describe("jobs", () => {
  it("send a verified submission", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada@job.example" });
    const posted = await call(collect, "POST", "/collect/reviews", {
      body: {
        client_id: shop.id,
        api_key: shop.publicKey,
        product_id: "sku-9",
        author: "Ada",
        author_email: "ada@job.example",
        score: 5,
        content: "Bright.",
      },
    });
    expect(posted.status).toBe(201);
    const [{ id }] = (await rowsOf("update reviews set verified_email = true where client_id = $1 returning id", [
      shop.id,
    ])) as [{ id: string }];
    // The submission's outbox event is sent as an interaction of the platform.
    expect(
      await rowsOf("select data from outbox where client_id = $1 and name = 'engagement/review'", [shop.id]),
    ).toEqual([{ data: { client_id: shop.id, review_id: id, changed: true } }]);
    expect(await queueReview(shop.id, id)).toBe("due");
    await runJobNow({ client: inngest, functions }, "schedule-engagement", { clientIds: [shop.id] });
    expect(fake.interactionsOf(ada.id)).toMatchObject([
      { payload: { productSku: "sku-9", rating: 5, comment: "Bright." } },
    ]);
    expect(ada.attributes.reviewAverageGrade).toBe(5);
  });
});

describe("a lease", () => {
  const dueIn = async (shop: TestClient, id: string): Promise<number> =>
    (
      await rowsOf(
        `select extract(epoch from due_at - now())::float8 as seconds from deliveries
          where client_id = $1 and subject = $2 and kind = 'interaction'`,
        [shop.id, id],
      )
    )[0]?.seconds;
  it("of a killed process ends within a minute, and the next process delivers once", async () => {
    const shop = await connected();
    const ada = fake.addContact({ email: "ada-killed@example.org" });
    const id = await submitted(shop, { author_email: "ada-killed@example.org" });
    let calls = 0;
    fake.failureFor = () => {
      calls += 1;
      return "never answer";
    };
    const killed = startProgram("lib/integrations/engagement/fixtures/deliver-process.ts", [shop.id, "usual"]);
    await vi.waitFor(() => expect(calls).toBeGreaterThan(0), { timeout: 20_000 });
    await killed.kill();
    fake.failureFor = null;
    const left = await dueIn(shop, id);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60);
    expect((await deliverDueRecords(shop.id, { timing })).counts).toEqual({});
    await rowsOf("update deliveries set due_at = due_at - interval '1 minute' where client_id = $1", [shop.id]);
    await work(shop);
    expect(fake.interactionsOf(ada.id)).toHaveLength(1);
  }, 40_000);

  it("of a killed process is awaited by the current run, not left to the next schedule", async () => {
    const shop = await connected();
    const [killed, due] = ["ada-left@example.org", "bo-due@example.org"].map((email) => fake.addContact({ email }));
    const left = await submitted(shop, { author_email: "ada-left@example.org" });
    await submitted(shop, { author_email: "bo-due@example.org" });
    await rowsOf(
      `update deliveries set attempts = 1, due_at = now() + interval '2 seconds'
        where client_id = $1 and subject = $2 and kind = 'interaction'`,
      [shop.id, left],
    );
    await runJobNow({ client: inngest, functions }, "schedule-engagement", { clientIds: [shop.id] });
    for (const contact of [killed, due]) expect(fake.interactionsOf(contact!.id)).toHaveLength(1);
  }, 30_000);

  it("is renewed while the work continues", async () => {
    const shop = await connected();
    fake.addContact({ email: "ada-long@example.org" });
    const id = await submitted(shop, { author_email: "ada-long@example.org" });
    fake.failureFor = () => "never answer";
    const patient = { ...timing, timeout: 4_000, lease: 1_500 };
    const long = deliverDueRecords(shop.id, { timing: patient });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(await dueIn(shop, id)).toBeGreaterThan(0);
    expect((await deliverDueRecords(shop.id, { timing })).counts).toEqual({});
    expect((await long).counts).toEqual({ later: 1 });
    fake.failureFor = null;
  }, 20_000);

  it("isn't renewed once it has expired, was released, or belongs to another worker", async () => {
    const shop = await connected();
    for (const name of ["over", "back", "other", "ours"])
      await submitted(shop, { author_email: `${name}@example.org` });
    const held = await claimDue(shop.id, ["interaction"], 4, 30_000);
    const [over, back, other, ours] = held;
    if (!over || !back || !other || !ours) throw new Error("Four were due.");
    await rowsOf("update deliveries set due_at = now() - interval '1 second' where id = $1", [over.id]);
    await rescheduleDelivery(back, 5, "unavailable", {});
    await rowsOf("update deliveries set attempts = attempts + 1 where id = $1", [other.id]);
    await renewLeases(held, 60_000);
    const { rows } = await pool().query(
      "select id, due_at > now() + interval '45 seconds' as renewed from deliveries where client_id = $1 and kind = 'interaction'",
      [shop.id],
    );
    expect(rows.filter(({ renewed }) => renewed).map(({ id }) => id)).toEqual([ours.id]);
  });
});
