import { beforeEach, describe, expect, it } from "vitest";
import * as collectQuestion from "@/app/collect/questions/route";
import * as collectReview from "@/app/collect/reviews/route";
import * as orders from "@/app/v1/orders/route";
import * as deletion from "@/app/v1/personal_data/delete/route";
import * as view from "@/app/v1/personal_data/route";
import * as review from "@/app/v1/reviews/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import { runJob, startJobs, stopJobs } from "@/inngest/jobs";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { submitInvitationForm } from "@/lib/forms/invitation/submit-invitation-form";
import { requestVerification } from "@/lib/forms/verification/request-verification";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { invitationToken } from "@/lib/invitations/links";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { applyRules } from "@/lib/moderation/rules/apply-rules";
import { isSerializationFailure } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { aRegularCustomer, countOrders } from "@/lib/privacy/fixtures/regular-customer";
import { call, type TestResponse } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, anOrder, rowsOf, someProducts, type TestClient, uniqueName } from "@/lib/tools/test/factories";
import { findEverywhere, rowsContaining } from "@/lib/tools/test/find-everywhere";

// Erasures that take a while, with concurrent changes.

beforeEach(emptyDatabase);

const erase = (shop: TestClient, body: Record<string, unknown>): Promise<TestResponse> =>
  call(deletion, "POST", "/v1/personal_data/delete", { key: shop.key, body });
const found = async (texts: string[]) => Object.values(await findEverywhere(texts)).flat();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

describe("a customer with thousands of orders", () => {
  it("is pending at first and gone after the job; others stay", { timeout: 120_000 }, async () => {
    const shop = await aClient();
    const boris = await aRegularCustomer(shop, 200, "ultramarin");
    const anna = await aRegularCustomer(shop, 5_000, "zinnober");
    await rowsOf("delete from outbox"); // The job engine handles it.
    // Otherwise this job would add the words of the others' reviews during the test.
    await runJob("index-words");
    const others = await rowsContaining(boris.words);

    const first = await erase(shop, { customer_id: anna.id });
    expect([first.status, first.json]).toEqual([202, { data: { status: "pending" } }]);
    expect(await countOrders(shop, anna.id)).toBeGreaterThan(0);
    // The person's identifier is sealed while the erasure runs.
    const [request] = await rowsOf("select * from deletion_requests");
    expect(JSON.stringify(request)).not.toContain("zinnober");
    expect(Buffer.from(request.sealed).includes("zinnober")).toBe(false);
    expect(await rowsOf("select from audit_entries")).toEqual([]);

    await rowsOf("update outbox set available_at = now() where name = 'personal_data/deletion_requested'");
    try {
      await startJobs();
      await waitUntil(async () => (await rowsOf("select from deletion_requests")).length === 0, 60_000);
    } finally {
      await stopJobs();
    }
    expect((await erase(shop, { customer_id: anna.id })).status).toBe(204);
    expect(await found(anna.words)).toEqual([]);
    expect(await rowsContaining(boris.words)).toEqual(others);
    expect(await verifySummaries()).toEqual([]);
    const [audit, ...more] = await rowsOf("select actor_id, detail from audit_entries");
    expect(more).toEqual([]);
    expect(audit).toMatchObject({
      actor_id: shop.keyId,
      detail: { removed: { customers: 1, orders: 5_000, reviews: 100 } },
    });
  });

  it("is erased by repeated calls alone if no job runs", { timeout: 120_000 }, async () => {
    const shop = await aClient();
    const anna = await aRegularCustomer(shop, 9_000, "zinnober");
    const statuses: number[] = [];
    while (statuses.at(-1) !== 204) {
      statuses.push((await erase(shop, { email: anna.email })).status);
      expect(statuses.length).toBeLessThan(30);
    }
    expect(statuses.slice(0, -1)).toEqual(statuses.slice(1).map(() => 202));
    expect(statuses.length).toBeGreaterThan(2);
    expect(await found(anna.words)).toEqual([]);
  });

  it("is resumed if its job was lost", { timeout: 120_000 }, async () => {
    const shop = await aClient();
    const anna = await aRegularCustomer(shop, 5_000, "zinnober");
    expect((await erase(shop, { customer_id: anna.id })).status).toBe(202);
    await rowsOf("delete from outbox where name = 'personal_data/deletion_requested'");
    await runJob("resume-erasures");
    expect(await rowsOf("select from deletion_requests")).toHaveLength(1); // Touched too recently.
    await rowsOf("update deletion_requests set touched_at = now() - interval '11 minutes'");
    const report = await runJob("resume-erasures");
    expect(report.runs.map((run) => [run.function, run.status])).toEqual([
      ["resume-erasures", "done"],
      ["erase-person", "done"],
    ]);
    expect(await found(anna.words)).toEqual([]);
  });
});

describe("concurrent erasures", () => {
  it("of one person by id and by address erase the person and send one event", {
    timeout: 60_000,
  }, async () => {
    for (let round = 0; round < 5; round += 1) {
      const shop = await aClient();
      const anna = await aRegularCustomer(shop, 300, `zinnober${round}x`);
      const calls = [{ customer_id: anna.id }, { email: anna.email }, { customer_id: anna.id }, { email: anna.email }];
      const answers = await Promise.all(calls.map((body) => erase(shop, body)));
      for (const { status } of answers) expect([202, 204]).toContain(status);
      for (const body of calls) {
        await waitUntil(async () => (await erase(shop, body)).status === 204);
      }
      expect(await found(anna.words)).toEqual([]);
      expect(await rowsOf("select from audit_entries where client_id = $1", [shop.id])).toHaveLength(1);
      expect(await rowsOf("select from deletion_requests")).toEqual([]);
      await emptyDatabase();
    }
  });

  it("store or erase each concurrent order as a whole, and respond to each request", {
    timeout: 60_000,
  }, async () => {
    const shop = await aClient();
    const anna = await aRegularCustomer(shop, 3_000, "zinnober");
    let erased = false;
    const posting = Promise.all(
      [1, 2, 3].map(async (lane) => {
        for (let n = 0; !erased || n < 5; n += 1) {
          const items = [
            { id: "a", name: "A" },
            { id: "b", name: "B" },
          ];
          const customer = { id: anna.id, email: anna.email, name: "Name" };
          const answer = await call(orders, "POST", "/v1/orders", {
            key: shop.key,
            body: { order: { id: `late-${lane}-${n}`, customer, items } },
          });
          expect(answer.status).toBe(200);
          expect(answer.json.data[0].items).toHaveLength(2);
        }
      }),
    );
    await waitUntil(async () => (await erase(shop, { customer_id: anna.id })).status === 204);
    erased = true;
    await posting;
    // Orders after the end of the erasure stay, each with its customer and both items.
    const left = await rowsOf(
      `select o.id, count(i.id)::int as items from orders o left join order_items i on i.client_id = o.client_id and i.order_id = o.id
        where o.client_id = $1 group by o.id`,
      [shop.id],
    );
    expect(left.length).toBeGreaterThan(0);
    for (const order of left) expect(order).toMatchObject({ id: expect.stringMatching(/^late-/), items: 2 });
    await waitUntil(async () => (await erase(shop, { customer_id: anna.id })).status === 204);
    expect(await found(anna.words)).toEqual([]);
  });
});

describe("any concurrent changes", () => {
  it("leave the data consistent and nothing of the person", { timeout: 120_000 }, async () => {
    const shop = await aClient({ auto_moderate: true, require_verification: true });
    await someProducts(shop.id, [{ id: "lamp", family_id: "lamps" }]);
    const anna = { id: "customer-zinnober", name: "Name zinnober", email: "zinnober@customers.example" };
    const items = [{ id: "lamp", name: "Lamp", delivery_date: daysAgo(10) }];
    const pick = async (table: string) => {
      const [row] = await rowsOf(`select id from ${table} where client_id = $1 order by random() limit 1`, [shop.id]);
      return (row?.id ?? "none") as string;
    };
    const api = { key: shop.key };
    const publicly = { client_id: shop.id, api_key: shop.publicKey, product_id: "lamp", author_email: anna.email };
    let n = 0;
    const anything: (() => Promise<unknown>)[] = [
      () =>
        call(orders, "POST", "/v1/orders", {
          ...api,
          body: { order: { id: `o-${n % 7}-zinnober`, customer: anna, items } },
        }),
      () => {
        const order = { id: `o-${n % 7}-zinnober`, customer: anna, item: { id: "lamp" } };
        const review = {
          external_id: `x-${n % 5}`,
          order,
          author: "zinnober",
          score: 1 + (n % 5),
          extract: `zinnober ${n}`,
          accepted: true,
        };
        return call(reviews, "POST", "/v1/reviews", { ...api, body: { review } });
      },
      () =>
        call(collectReview, "POST", "/collect/reviews", {
          body: { ...publicly, author: "zinnober", score: 4, content: `zinnober ${n}` },
        }),
      () =>
        call(collectQuestion, "POST", "/collect/questions", {
          body: { ...publicly, author: "zinnober", question: `zinnober ${n}?`, mail_answer: "true" },
        }),
      async () =>
        call(review, "PUT", `/v1/reviews/${await pick("reviews")}`, {
          ...api,
          body: { review: { accepted: n % 2 === 0 } },
        }),
      async () => call(review, "DELETE", `/v1/reviews/${await pick("reviews")}`, api),
      async () => requestVerification(shop.id, "review", await pick("reviews")),
      async () => applyRules(shop.id, "review", [await pick("reviews")]),
      async () => {
        await claimInvitations(shop.id);
        for (const id of await unsentInvitations(shop.id)) await sendInvitation(shop.id, id);
      },
      async () => {
        const form = new FormData();
        for (const [name, value] of Object.entries({
          author: "zinnober",
          "items.1.score": "5",
          "items.1.content": `zinnober ${n}`,
        }))
          form.set(name, value);
        await submitInvitationForm(invitationToken(shop.id, await pick("invitations")), form, null);
      },
      () => erase(shop, n % 2 === 0 ? { customer_id: anna.id } : { email: anna.email }),
      () => call(view, "GET", `/v1/personal_data?customer_id=${anna.id}`, api),
    ];
    const statuses = new Set<number>();
    const lane = async () => {
      for (let turn = 0; turn < 60; turn += 1) {
        n += 1;
        const outcome = await anything[Math.floor(Math.random() * anything.length)]?.().catch((error: unknown) => {
          // Erased rows return `not_found`; lock conflicts return `unavailable`, to be retried.
          if (error instanceof AppError && ["not_found", "unavailable"].includes(error.code)) return null;
          if (isSerializationFailure(error)) return null;
          throw error;
        });
        if (outcome !== null && typeof outcome === "object" && "status" in outcome)
          statuses.add(outcome.status as number);
      }
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204]));
    expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([]);
    for (const body of [{ customer_id: anna.id }, { email: anna.email }])
      await waitUntil(async () => (await erase(shop, body)).status === 204);
    expect(await found(["zinnober"])).toEqual([]);
    expect(await verifySummaries()).toEqual([]);
    expect(await rowsOf("select from deletion_requests")).toEqual([]);
    expect(await rowsOf("select from mails")).toEqual([]);
    expect(await rowsOf("select from action_links")).toEqual([]);
    expect(await rowsOf("select from moderation_prints")).toEqual([]);
  });
});

describe("an invitation", () => {
  /** Creates a customer with an order that is due. */
  async function due(mark = uniqueName("due")) {
    const shop = await aClient();
    const customer = { id: `customer-${mark}`, name: `Name ${mark}`, email: `${mark}@customers.example` };
    await anOrder(shop.id, {
      id: `order-${mark}`,
      customer,
      items: [{ id: "lamp", name: "Lamp", delivery_date: daysAgo(10) }],
    });
    return { shop, customer, words: [mark, customer.email] };
  }

  it("that is claimed concurrently is erased with the person, or isn't claimed", { timeout: 60_000 }, async () => {
    for (let round = 0; round < 20; round += 1) {
      const { shop, customer, words } = await due();
      const [, answer] = await Promise.all([claimInvitations(shop.id), erase(shop, { email: customer.email })]);
      if (answer.status !== 204)
        await waitUntil(async () => (await erase(shop, { email: customer.email })).status === 204);
      for (const id of await unsentInvitations(shop.id)) await sendInvitation(shop.id, id);
      expect(await found(words)).toEqual([]);
      expect(await rowsOf("select from mails")).toEqual([]);
    }
  });

  it("that is written but not sent is never sent, and its cooldown hash stays", async () => {
    const { shop, customer, words } = await due();
    const [id = ""] = await claimInvitations(shop.id);
    expect((await erase(shop, { customer_id: customer.id })).status).toBe(204);
    await sendInvitation(shop.id, id);
    expect(await rowsOf("select from mails")).toEqual([]);
    expect(await found(words)).toEqual([]);
    const hashes = [personHash(shop.id, "customer", customer.id), personHash(shop.id, "email", customer.email)].sort();
    expect(await rowsOf("select person_hash from quarantines order by 1")).toEqual(
      hashes.map((person_hash) => ({ person_hash })),
    );
  });

  it("with an open form rejects submissions after the erasure", async () => {
    const { shop, customer, words } = await due();
    const [id = ""] = await claimInvitations(shop.id);
    await sendInvitation(shop.id, id);
    const form = new FormData();
    for (const [name, value] of Object.entries({ author: "A", "items.1.score": "5", "seller.score": "4", asked: "1" }))
      form.set(name, value);
    const sending = () => submitInvitationForm(invitationToken(shop.id, id), form, "192.0.2.1");
    const late = Promise.allSettled(Array.from({ length: 6 }, sending));
    const answer = await erase(shop, { customer_id: customer.id });
    await late;
    if (answer.status !== 204)
      await waitUntil(async () => (await erase(shop, { customer_id: customer.id })).status === 204);
    expect(await found(words)).toEqual([]);
    await expect(submitInvitationForm(invitationToken(shop.id, id), form, "192.0.2.1")).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await rowsOf("select from reviews")).toEqual([]);
  });
});
