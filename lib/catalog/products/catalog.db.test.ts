import { beforeAll, describe, expect, it } from "vitest";
import * as externals from "@/app/portal/api/v1/externals/route";
import { getProductPage, lastMonths } from "@/lib/catalog/products/get-product-page";
import { listPortalProducts } from "@/lib/catalog/products/list-portal-products";
import { pool } from "@/lib/platform/db/pool";
import { call } from "@/lib/tools/test/call";
import { aClient, aMember, rowsOf, someProducts, someReviews, type TestClient } from "@/lib/tools/test/factories";
import { selectCatalog } from "./portal-sql";

let shop: TestClient;
beforeAll(async () => {
  shop = await aClient();
  await someProducts(shop.id, [
    ...Array.from({ length: 120 }, (_, n) => ({
      id: `A-${String(n).padStart(3, "0")}`,
      name: `Lamp ${n}`,
      brand: "Lux",
    })),
    { id: "B-1", family_id: "B", name: "100% wool throw", brand: "Fjord", deleted: true },
    { id: "B-2", family_id: "B", name: "Throw_red", brand: "Fjord" },
  ]);
  await rowsOf(
    "update products set gtin14s = array['04006381333931'], mpn = 'M/1' where client_id = $1 and id = 'B-2'",
    [shop.id],
  );
  await someProducts((await aClient()).id, [{ id: "A-000", name: "Lamp of another" }]);
  await someReviews(shop.id, [
    { product_id: "B-2", family_id: "B", accepted: true, score: 5 },
    { product_id: "B-2", family_id: "B", accepted: true, score: 4 },
    { product_id: "B-2", family_id: "B", accepted: false, score: 1 },
    { product_id: "B-1", family_id: "B", accepted: true, score: 3 },
  ]);
});

const ids = async (filter: object) => (await listPortalProducts(shop, filter)).products.map(({ id }) => id);

describe("listing the catalog", () => {
  const allIds = async (filter: object) => {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { products, next } = await listPortalProducts(shop, { ...filter, after });
      seen.push(...products.map(({ id }) => id));
      after = next ?? undefined;
    } while (after !== undefined);
    return seen;
  };

  it("pages through all products, each once", async () => {
    const seen = await allIds({});
    expect(seen).toHaveLength(122);
    expect(new Set(seen).size).toBe(122);
    await expect(listPortalProducts(shop, { after: "nonsense" })).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  it("pages through all of them in descending order, and through those that match", async () => {
    expect(await allIds({ descending: true })).toEqual((await allIds({})).toReversed());
    expect(await allIds({ descending: true, q: "throw" })).toEqual(["B-2", "B-1"]);
    // A page's cursor belongs to its direction.
    const { next } = await listPortalProducts(shop, { descending: true });
    await expect(listPortalProducts(shop, { after: next ?? "" })).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  it("matches words and whole identifiers, escapes pattern characters, and includes review counts", async () => {
    expect(await ids({ q: "throw" })).toEqual(["B-1", "B-2"]);
    expect(await ids({ q: "100%" })).toEqual(["B-1"]);
    expect(await ids({ q: "throw_" })).toEqual(["B-2"]);
    expect(await ids({ q: "4006381333931" })).toEqual(["B-2"]);
    expect(await ids({ q: "M/1" })).toEqual(["B-2"]);
    expect(await ids({ q: "b-" })).toEqual(["B-1", "B-2"]);
    expect(await ids({ q: "\\" })).toEqual([]);
    expect(await ids({ family: "B", state: "deleted" })).toEqual(["B-1"]);
    expect(await ids({ q: "of another" })).toEqual([]);
    expect((await listPortalProducts(shop, { q: "B-2" })).products).toEqual([
      expect.objectContaining({ id: "B-2", count: 2, average: 4.5 }),
    ]);
  });

  it("scans a limited number of products per page and continues after them", async () => {
    const found: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 20; page += 1) {
      const rows = await selectCatalog(pool(), shop.id, { q: "throw" }, { after, descending: false }, 10, 25);
      found.push(...rows.filter(({ hit }) => hit).map(({ id }) => id));
      const edge = rows.find((row) => row.edge);
      if (!edge) break;
      after = edge.id;
    }
    expect(found).toEqual(["B-1", "B-2"]);
  });
});

describe("the product page", () => {
  it("returns the product's reviews, its family's, and monthly counts", async () => {
    const page = await getProductPage(shop.client, "B-2");
    expect(page.own).toMatchObject({ your_review_count: 2, your_avg_score: 4.5, your_score_dist: [0, 0, 0, 1, 1] });
    expect(page.family).toMatchObject({ your_review_count: 3, your_avg_score: 4 });
    expect(page.variants.map(({ id, count }) => [id, count])).toEqual([
      ["B-1", 1],
      ["B-2", 2],
    ]);
    expect(page.months).toHaveLength(24);
    expect(page.months.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    await expect(getProductPage(shop.client, "none")).rejects.toMatchObject({ code: "not_found" });
    await expect(getProductPage((await aClient()).client, "B-2")).rejects.toMatchObject({ code: "not_found" });
  });

  it("lists months across a year boundary", () => {
    expect(lastMonths("2026-02", 4)).toEqual(["2025-11", "2025-12", "2026-01", "2026-02"]);
  });

  it("lets admins import external ratings from a file", async () => {
    const send = async (who: Awaited<ReturnType<typeof aMember>>, text: string) => {
      const body = new FormData();
      body.set("file", new File([text], "totals.csv"));
      return call(externals, "POST", `/portal/api/v1/externals?client_id=${shop.id}`, { ...who, body });
    };
    const admin = await aMember(shop, "admin");
    const text = "product_id,source,kind,count,score_dist\nB-2,x.example,user,10,0;0;0;0;10\nB-2,x.example,none,1,\n";
    const answer = await send(admin, text);
    expect([answer.status, answer.json.data]).toEqual([
      200,
      { read: 2, created: 1, updated: 0, unchanged: 0, rejected: [{ row: 2, reason: "kind_invalid" }] },
    ]);
    expect((await getProductPage(shop.client, "B-2")).totals).toMatchObject([{ source: "x.example", count: 10 }]);
    expect((await send(admin, "nothing of the kind")).status).toBe(422);
    expect((await send(await aMember(shop, "moderator"), text)).status).toBe(403);
    expect((await send(await aMember(await aClient(), "admin"), text)).status).toBe(403);
  });
});
