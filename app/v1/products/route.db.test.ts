import { beforeAll, describe, expect, it } from "vitest";
import * as products from "@/app/v1/products/route";
import { call } from "@/lib/tools/test/call";
import { aClient, rowsOf, someProducts, type TestClient } from "@/lib/tools/test/factories";
import { expectList } from "@/lib/tools/test/lists";

const documented =
  "id family_id brand name category url image_url mpn gtin14s tags match_status deleted properties created_at updated_at".split(
    " ",
  );

let shop: TestClient;
// Ids sort in byte order: digits, capitals, lowercase letters, then non-ASCII characters.
const ids = ["1", "10", "2", "A", "a", "b%2F/c d", "b'c", "é", "ü", "灯", "💡"];

beforeAll(async () => {
  shop = await aClient();
  await someProducts(
    shop.id,
    [...ids].reverse().map((id, index) => ({ id, family_id: index % 2 ? "odd" : "even", deleted: id === "A" })),
  );
  await someProducts(
    (await aClient()).id,
    ids.map((id) => ({ id, family_id: "odd" })),
  );
});

describe("GET /v1/products", () => {
  it("returns every documented field, null for unset ones", async () => {
    const { id } = await aClient().then(async (own) => {
      await rowsOf("insert into products (client_id, id, family_id, name) values ($1, 'bare', 'bare', 'Bare')", [
        own.id,
      ]);
      const { json } = await call(products, "GET", "/v1/products", { key: own.key });
      expect(Object.keys(json.data[0]).sort()).toEqual([...documented].sort());
      expect(json.data[0]).toEqual({
        id: "bare",
        family_id: "bare",
        brand: null,
        name: "Bare",
        category: null,
        url: null,
        image_url: null,
        mpn: null,
        gtin14s: [],
        tags: [],
        match_status: null,
        deleted: false,
        properties: {},
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      });
      return own;
    });
    expect(id).not.toBe(shop.id);
  });

  it("lists by id in byte order, including deleted products", async () => {
    await expectList(products, "/v1/products", shop.key, ids);
    const { json } = await call(products, "GET", "/v1/products", { key: shop.key });
    expect(json.data.filter((row: { deleted: boolean }) => row.deleted).map((row: { id: string }) => row.id)).toEqual([
      "A",
    ]);
  });

  it("lists one family", async () => {
    const odd = [...ids]
      .reverse()
      .filter((_, index) => index % 2 === 1)
      .sort((a, b) => ids.indexOf(a) - ids.indexOf(b));
    await expectList(products, "/v1/products?family_id=odd", shop.key, odd);
    const none = await call(products, "GET", "/v1/products?family_id=none", { key: shop.key });
    expect(none.json).toEqual({ data: [], links: {} });
  });

  it("accepts all four kinds of credentials", async () => {
    const one = { status: 200 };
    expect(await call(products, "GET", "/v1/products", { key: shop.key })).toMatchObject(one);
    expect(await call(products, "GET", "/v1/products", { basic: [shop.key, ""] })).toMatchObject(one);
    expect(await call(products, "GET", `/v1/products?token=${shop.key}`)).toMatchObject(one);
    const { aUser } = await import("@/lib/tools/test/factories");
    const person = await aUser("viewer", { clients: [shop.id] });
    expect(await call(products, "GET", "/v1/products", { basic: person.basic })).toMatchObject(one);
    const wrong = await call(products, "GET", "/v1/products", { basic: [person.username, "not the password"] });
    expect(wrong.status).toBe(401);
  });

  it("ignores unknown parameters and answers HEAD without a body", async () => {
    const answer = await call(products, "GET", "/v1/products?colour=red&__proto__=x", { key: shop.key });
    expect(answer.json.data).toHaveLength(ids.length);
    const head = await call(products, "HEAD", "/v1/products", { key: shop.key });
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: "" });
  });
});
