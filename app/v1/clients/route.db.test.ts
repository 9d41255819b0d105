import { beforeAll, describe, expect, it } from "vitest";
import * as clients from "@/app/v1/clients/route";
import * as products from "@/app/v1/products/route";
import { call, readAll } from "@/lib/tools/test/call";
import { aClient, aKey, aUser, someProducts, type TestClient } from "@/lib/tools/test/factories";
import { expectCursorRejected, expectList } from "@/lib/tools/test/lists";

const documented =
  "id locale display_name email_name account_name contact_email contact_url send_emails_after_days send_emails_before_days send_limit quarantine_period min_review_words min_review_words_promoter collect_seller_reviews collect_pros_cons collect_questions collect_recommended own_moderation auto_moderate require_verification must_agree_to_terms must_agree_to_terms_web external_review_locale external_review_countries external_pro_reviews external_user_reviews expand_family config".split(
    " ",
  );

let shops: TestClient[];
let key: string;

beforeAll(async () => {
  shops = [await aClient(), await aClient(), await aClient({ display_name: "Lanterna", quarantine_period: 30 })];
  key = (await aKey(shops.map(({ id }) => id))).secret;
});

describe("GET /v1/clients", () => {
  it("returns every documented field, with the defaults of a new client", async () => {
    const [shop] = shops as [TestClient];
    const { json, status, headers } = await call(clients, "GET", "/v1/clients", { key: shop.key });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json.data).toHaveLength(1);
    expect(Object.keys(json.data[0]).sort()).toEqual([...documented].sort());
    expect(json.data[0]).toEqual({
      id: shop.id,
      locale: "en_US",
      display_name: shop.id,
      email_name: shop.id,
      account_name: shop.id,
      contact_email: null,
      contact_url: null,
      send_emails_after_days: 7,
      send_emails_before_days: 60,
      send_limit: 1000,
      quarantine_period: null,
      min_review_words: null,
      min_review_words_promoter: null,
      collect_seller_reviews: true,
      collect_pros_cons: true,
      collect_questions: true,
      collect_recommended: true,
      own_moderation: true,
      auto_moderate: false,
      require_verification: false,
      must_agree_to_terms: false,
      must_agree_to_terms_web: false,
      external_review_locale: "",
      external_review_countries: null,
      external_pro_reviews: false,
      external_user_reviews: false,
      expand_family: false,
      config: {},
    });
  });

  it("does not return internal fields", async () => {
    const { text } = await call(clients, "GET", "/v1/clients", { key });
    for (const shop of shops) expect(text).not.toContain(shop.publicKey);
  });

  it("lists the caller's clients, page by page", async () => {
    await expectList(clients, "/v1/clients", key, shops.map(({ id }) => id).sort());
  });

  it("lists clients added to an account later to its people, and all clients to operators", async () => {
    const [shop] = shops as [TestClient];
    const ofAccount = await aUser("viewer", { accountId: shop.accountId });
    const ofClient = await aUser("admin", { accountId: shop.accountId, clients: [shop.id] });
    const operator = await aUser("operator");
    const { createClient } = await import("@/lib/settings/create-client");
    await createClient({ id: `${shop.id}-later`, accountId: shop.accountId });
    const ids = async (basic: readonly [string, string]) =>
      (await readAll(clients, "/v1/clients", { basic })).map(({ id }) => id);
    expect(await ids(ofAccount.basic)).toEqual([shop.id, `${shop.id}-later`]);
    expect(await ids(ofClient.basic)).toEqual([shop.id]);
    expect(await ids(operator.basic)).toEqual(expect.arrayContaining(shops.map(({ id }) => id)));
  });

  it("rejects another list's cursor", async () => {
    const [shop] = shops as [TestClient];
    await someProducts(shop.id, [{}, {}]);
    await expectCursorRejected(clients, "/v1/clients", products, "/v1/products", shop.key);
  });
});
