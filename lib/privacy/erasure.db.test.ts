import { AsyncLocalStorage } from "node:async_hooks";
import { rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as displayed from "@/app/onpage/[client_id]/reviews/list.json/route";
import * as deletion from "@/app/v1/personal_data/delete/route";
import * as view from "@/app/v1/personal_data/route";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { claimInvitations } from "@/lib/invitations/claim-invitations";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { env } from "@/lib/platform/env";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import { call } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import {
  aClient,
  anOrder,
  hashDatabase,
  referenceOf,
  rowsOf,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { filesIn, findEverywhere, rowsContaining } from "@/lib/tools/test/find-everywhere";
import { createPersonWithData, type PersonWithData } from "@/lib/tools/test/people";

const images = () => path.join(env().DATA_DIR, "images");
const files = () => filesIn(images()).map(([file]) => file);

beforeEach(async () => {
  await emptyDatabase();
  rmSync(images(), { recursive: true, force: true });
});

const erase = (shop: TestClient, body: Record<string, unknown>) =>
  call(deletion, "POST", "/v1/personal_data/delete", { key: shop.key, body });

/** Tables that contain one of the texts. */
const placesOf = async (texts: string[]) => [...new Set(Object.values(await findEverywhere(texts)).flat())].sort();

const identifierOf = {
  customer_id: (one: PersonWithData) => one.customerId,
  email: (one: PersonWithData) => ` ${one.email.toUpperCase()}`,
};

/** Where the fixture's person is stored before the erasure: rows and copies of every kind, and files. */
const everyPlace = [
  "action_links",
  "answers",
  "customer_emails",
  "customers",
  "deliveries",
  "feed_imports",
  "flags",
  "idempotency_keys",
  "invitation_items",
  "invitations",
  "job_runs",
  "job_steps",
  "mails",
  "moderation_events",
  "order_items",
  "orders",
  "outbox",
  "questions",
  "responses",
  "reviews",
  "saved_views",
  "seller_reviews",
  "uploads",
].map((table) => `public.${table}`);

describe.each(["customer_id", "email"] as const)("erasure by %s", (by) => {
  it("leaves nothing of the person in any table, schema or file", async () => {
    const shop = await aClient();
    const anna = await createPersonWithData(shop, "zinnober");
    const report = (value: string) =>
      JSON.stringify({ warnings: [{ row: 3, field: "email", reason: "no address", value }] });
    for (const kind of ["orders", "products"])
      await rowsOf(
        "insert into feed_imports (client_id, id, kind, source, status, report) values ($1, $2, $2, 'file', 'done', $3)",
        [shop.id, kind, report(kind === "orders" ? `${anna.email},` : "a product's")],
      );
    const before = await placesOf(anna.personalTexts);
    expect(before).toEqual(expect.arrayContaining(everyPlace));
    expect(before.filter((place) => place.startsWith(env().DATA_DIR))).toHaveLength(4);

    const answer = await erase(shop, { [by]: identifierOf[by](anna) });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(await findEverywhere(anna.personalTexts)).toEqual(
      Object.fromEntries(anna.personalTexts.map((word) => [word, []])),
    );
    expect(files()).toEqual([]);
    expect(await rowsOf("select from deletion_requests")).toEqual([]);
    expect(await rowsOf("select from submissions")).toEqual([]);
    expect(await rowsOf("select from moderation_findings")).toEqual([]);
    expect(await rowsOf("select from votes")).toEqual([]);
    expect(await rowsOf("select id, report->'warnings'->0 as warning from feed_imports order by id")).toEqual([
      { id: "orders", warning: { row: 3, field: "email", reason: "no address" } },
      { id: "products", warning: { row: 3, field: "email", reason: "no address", value: "a product's" } },
    ]);
    expect(await verifySummaries()).toEqual([]);
  });

  it("leaves other customers, and the same person at another client, unchanged", async () => {
    const [shop, otherClient] = [await aClient(), await aClient()];
    const boris = await createPersonWithData(shop, "ultramarin");
    await createPersonWithData(otherClient, "zinnober");
    const anna = await createPersonWithData(shop, "zinnober");
    const others = async () => [await rowsContaining(boris.personalTexts), await rowsContaining([otherClient.id])];
    const before = await others();
    expect(before.flat().length).toBeGreaterThan(60);
    expect(files()).toHaveLength(12);
    expect((await erase(shop, { [by]: identifierOf[by](anna) })).status).toBe(204);
    expect(await others()).toEqual(before);
    expect(files()).toHaveLength(8);
    expect(await verifySummaries()).toEqual([]);
  });

  it("keeps the rule, time and transition of the history, and the keyed hashes that block email", async () => {
    const shop = await aClient();
    const anna = await createPersonWithData(shop, "zinnober");
    const hash = personHash(shop.id, "email", anna.email);
    const idHash = personHash(shop.id, "customer", anna.customerId);
    await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'bounce')", [shop.id, hash]);
    const reference = await referenceOf(anna.reviewId);
    const history = () =>
      rowsOf(
        "select id, at, actor_kind, action, from_state, to_state from moderation_events where subject_id = any($1) order by id",
        [[anna.reviewId, reference]],
      );
    const before = await history();
    expect(before.map(({ action }) => action)).toEqual(["submitted", "edited", "decided", "reported", "decided"]);
    await erase(shop, { [by]: identifierOf[by](anna) });
    expect(await history()).toEqual([
      ...before,
      expect.objectContaining({ actor_kind: "system", action: "erased", from_state: "accepted" }),
    ]);
    expect(await rowsOf("select from moderation_events where subject_id = $1", [anna.reviewId])).toEqual([]);
    expect(await rowsOf("select from moderation_events where texts is not null")).toEqual([]);
    expect(await rowsOf("select reason from suppressions")).toEqual([{ reason: "bounce" }]);
    const quarantines = await rowsOf("select person_hash, erased_until - last_day as days from quarantines order by 1");
    expect(quarantines).toEqual([hash, idHash].sort().map((person_hash) => ({ person_hash, days: 21 })));

    await rowsOf("delete from suppressions");
    const { id, ...again } = await anOrder(shop.id, {
      id: "again",
      customer: { id: anna.customerId, email: anna.email },
      items: [{ id: "lamp", delivery_date: new Date(Date.now() - 9 * 86_400_000).toISOString().slice(0, 10) }],
    });
    expect(again.customer.name).toBeNull();
    const preview = await previewNextRun(shop.id);
    expect(preview.send).toEqual([]);
    expect(preview.held).toMatchObject([{ order_id: id, reason: "quarantine" }]);
  });

  it("is recorded once in the audit and sent to webhooks, without the person's data", async () => {
    const shop = await aClient();
    const anna = await createPersonWithData(shop, "zinnober");
    const ids = await rowsOf(
      `select 'review' as kind, id from reviews union all select 'seller_review', id from seller_reviews
       union all select 'question', id from questions`,
    );
    await rowsOf("delete from outbox");
    for (let time = 1; time <= 3; time += 1)
      expect((await erase(shop, { [by]: identifierOf[by](anna) })).status).toBe(204);

    const audit = await rowsOf("select * from audit_entries");
    expect(audit).toMatchObject([
      {
        account_id: shop.accountId,
        client_id: shop.id,
        actor_kind: "key",
        actor_id: shop.keyId,
        action: "personal_data.deleted",
        detail: { removed: { customers: 1, orders: 1, reviews: 2, seller_reviews: 1, questions: 1, images: 1 } },
      },
    ]);
    const events = await rowsOf("select name, data from outbox order by id");
    const eventData = (name: string) => events.filter((fact) => fact.name === name).map(({ data }) => data);
    for (const kind of ["review", "seller_review", "question"])
      expect(
        eventData(`${kind}/deleted`)
          .map((data) => data[`${kind}_id`])
          .sort(),
      ).toEqual(ids.flatMap((one) => (one.kind === kind ? [one.id] : [])).sort());
    expect(eventData("engagement/orphaned")).toEqual([
      { client_id: shop.id, remote: [{ kind: "interaction", id: `remote-of-${anna.reviewId}` }] },
    ]);
    expect(eventData("personal_data/deleted")).toEqual([{ client_id: shop.id, erasure_id: audit[0]?.subject }]);
  });

  it("erases the person from displays and the personal data view", async () => {
    const shop = await aClient();
    const anna = await createPersonWithData(shop, "zinnober");
    const show = () => call(displayed, "GET", `/onpage/${shop.id}/reviews/list.json?url_key=lamps`);
    const viewData = () =>
      call(view, "GET", `/v1/personal_data?${by}=${encodeURIComponent(identifierOf[by](anna))}`, { key: shop.key });
    expect((await show()).text).toContain("zinnober");
    expect((await viewData()).text).toContain("zinnober");
    await erase(shop, { [by]: identifierOf[by](anna) });
    expect((await show()).json.reviews).toEqual([]);
    expect((await viewData()).json).toEqual({
      data: { name: null, customer_id: null, email: null, reviews: [], questions: [], seller_reviews: [] },
    });
  });
});

describe("an erasure interrupted at any statement", () => {
  it("leaves a state from which the next one completes", { timeout: 60_000 }, async () => {
    const shop = await aClient();
    const boris = await createPersonWithData(shop, "ultramarin");
    const anna = await createPersonWithData(shop, "zinnober");
    const others = await rowsContaining(boris.personalTexts);
    const asker = { kind: "key", id: "key_1" } as const;
    const person = { by: "email", email: emailKey(anna.email) } as const;

    // Drops the connection at each statement in turn; what was committed before stays. Statements of timers don't count.
    const query = pg.Client.prototype.query;
    const erasing = new AsyncLocalStorage<true>();
    let left = Number.POSITIVE_INFINITY;
    const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      if (erasing.getStore() && --left === 0) throw new Error("broken off here");
      return (query as (...given: unknown[]) => unknown).apply(this, args) as never;
    } as never);
    let breaks = 0;
    let outcome: string | undefined;
    while (outcome === undefined) {
      breaks += 1;
      left = breaks;
      try {
        outcome = await erasing.run(true, () => erasePersonalData(asker, shop, person));
      } catch (error) {
        expect((error as Error).message).toBe("broken off here");
      } finally {
        left = Number.POSITIVE_INFINITY;
      }
      expect(await verifySummaries()).toEqual([]);
    }
    spy.mockRestore();
    expect(breaks).toBeGreaterThan(30);
    expect(outcome).toBe("deleted");
    expect(await placesOf(anna.personalTexts)).toEqual([]);
    expect(await rowsContaining(boris.personalTexts)).toEqual(others);
    expect(await rowsOf("select from deletion_requests")).toEqual([]);
    expect(await rowsOf("select action from audit_entries")).toEqual([{ action: "personal_data.deleted" }]);
    expect(files()).toHaveLength(4);
  });
});

describe("which rows belong to a person", () => {
  const written = async (shop: TestClient) =>
    (await rowsOf("select extract from reviews where client_id = $1 order by extract", [shop.id])).map(
      ({ extract }) => extract,
    );
  const known = async (shop: TestClient) =>
    (await rowsOf("select id from customers where client_id = $1 order by id", [shop.id])).map(({ id }) => id);

  /** k1 had old@ and has new@; k2 has new@; k3 has other@. Review texts are the customer and address. */
  async function household() {
    const shop = await aClient();
    for (const [id, email] of [
      ["k1", "old@x.example"],
      ["k1", "New@x.example"],
      ["k2", "new@x.example"],
      ["k3", "other@x.example"],
    ])
      await anOrder(shop.id, { id: `o-${id}`, customer: { id, name: `Name ${id}`, email } });
    const reviews = [
      ["k1", "new@x.example"],
      ["k1", "elsewhere@x.example"],
      ["k2", "new@x.example"],
      ["k3", "old@x.example"],
      [null, "old@x.example"],
      [null, "new@x.example"],
      [null, "other@x.example"],
    ] as const;
    await someReviews(
      shop.id,
      reviews.map(([customer_id, email_key]) => ({
        customer_id,
        email_key,
        author_email: email_key,
        extract: `${customer_id ?? "-"} ${email_key}`,
      })),
    );
    return shop;
  }

  it("by id: the customer's rows, and rows without a customer with a current or past address; no other customer's rows", async () => {
    const shop = await household();
    expect((await erase(shop, { customer_id: "k1" })).status).toBe(204);
    expect(await known(shop)).toEqual(["k2", "k3"]);
    expect(await written(shop)).toEqual(["- other@x.example", "k2 new@x.example", "k3 old@x.example"]);
    expect(await rowsOf("select id from orders where client_id = $1 order by id", [shop.id])).toEqual([
      { id: "o-k2" },
      { id: "o-k3" },
    ]);
  });

  it("by address: all rows with it, all customers who have or had it, and their rows", async () => {
    const shop = await household();
    expect((await erase(shop, { email: "OLD@x.example" })).status).toBe(204);
    expect(await known(shop)).toEqual(["k2", "k3"]);
    expect(await written(shop)).toEqual(["- other@x.example", "k2 new@x.example"]);

    const again = await household();
    expect((await erase(again, { email: "new@X.example" })).status).toBe(204);
    expect(await known(again)).toEqual(["k3"]);
    expect(await written(again)).toEqual(["- other@x.example", "k3 old@x.example"]);
  });

  it("leaves an invitation of two customers at one address to the other customer, without the erased one's data", async () => {
    const shop = await aClient();
    const anna = await createPersonWithData(shop, "zinnober");
    // Another customer shares the address; the next email is for both.
    await rowsOf("delete from quarantines");
    const delivery_date = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
    await anOrder(shop.id, {
      id: "shared-1",
      customer: { id: "k2", name: "Kimberley", email: anna.email },
      items: [{ id: "desk", name: "Desk", delivery_date }],
    });
    await anOrder(shop.id, {
      id: "hers-2",
      customer: { id: anna.customerId, name: anna.name },
      items: [{ id: "chair", name: "Chair", delivery_date }],
    });
    // The email greets the customer who was updated last.
    await rowsOf("update customers set updated_at = now() + interval '1 second' where id = $1", [anna.customerId]);
    const [id = ""] = await claimInvitations(shop.id);
    await sendInvitation(shop.id, id);
    const invitation = () => rowsOf("select customer_id, name, status, mail_id from invitations where id = $1", [id]);
    expect(await invitation()).toMatchObject([{ customer_id: anna.customerId, name: anna.name, status: "sent" }]);

    expect((await erase(shop, { customer_id: anna.customerId })).status).toBe(204);
    expect(await invitation()).toEqual([{ customer_id: "k2", name: "Kimberley", status: "sent", mail_id: null }]);
    expect(await rowsOf("select order_id, item_id from invitation_items")).toEqual([
      { order_id: "shared-1", item_id: "desk" },
    ]);
    // The other customer has the same address; nothing else of the erased one is left.
    const found = await findEverywhere([anna.customerId, anna.name, anna.orderId, "hers-2"]);
    expect(Object.values(found).flat()).toEqual([]);
    expect((await placesOf([anna.email])).sort()).toEqual(
      ["customers", "invitations"].map((table) => `public.${table}`),
    );
    // The other customer isn't invited for these items again.
    expect((await previewNextRun(shop.id)).held).toMatchObject([{ order_id: "shared-1", reason: "already_invited" }]);

    expect((await erase(shop, { email: anna.email })).status).toBe(204);
    expect(await placesOf([anna.email, "Kimberley"])).toEqual([]);
  });

  it("keeps an order whose id equals the customer's id", async () => {
    const shop = await household();
    await anOrder(shop.id, { id: "k1", customer: { id: "k3" } });
    for (const kind of ["order", "contact"])
      await rowsOf(
        "insert into deliveries (client_id, id, type, kind, subject, outcome) values ($1, $2, 'engagement', $2, 'k1', 'sent')",
        [shop.id, kind],
      );
    expect((await erase(shop, { customer_id: "k1" })).status).toBe(204);
    expect(await rowsOf("select kind from deliveries")).toEqual([{ kind: "order" }]);
    expect(await rowsOf("select from orders where id = 'k1'")).toHaveLength(1);
  });

  it("writes nothing for an unknown person, except short-lived hashes", async () => {
    const shop = await household();
    const before = await hashDatabase();
    expect((await erase(shop, { customer_id: "nobody" })).status).toBe(204);
    expect((await erase(shop, { email: "nobody@x.example" })).status).toBe(204);
    // The hashes block data about the person that is being read now and stored later.
    const hashes = await rowsOf("delete from erased_hashes where client_id = $1 returning what", [shop.id]);
    expect(hashes.map(({ what }) => what).sort()).toEqual(["customer", "email"]);
    expect(await hashDatabase()).toBe(before);
  });
});
