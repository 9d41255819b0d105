import { beforeAll, describe, expect, it } from "vitest";
import { externalTotals } from "@/lib/catalog/summaries/external-totals";
import { pool } from "@/lib/platform/db/pool";
import { cutPage } from "@/lib/platform/http/cursor";
import { aClient, rowsOf, someReviews, type TestClient } from "@/lib/tools/test/factories";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";
import { selectFamilyPage, selectProductPage } from "./sql";

const PRODUCTS = 5_000;

let shop: TestClient;
beforeAll(async () => {
  shop = await aClient();
  const numbered = "to_char(n, 'FM000000')";
  await rowsOf(
    `insert into products (client_id, id, family_id, name, deleted) select $1, 'p' || ${numbered}, 'f' || to_char(n / 2, 'FM000000'), 'Lamp', n % 20 = 0 from generate_series(1, ${PRODUCTS}) n`,
    [shop.id],
  );
  for (const [table, id] of [
    ["product_summaries", "product_id"],
    ["family_summaries", "family_id"],
  ])
    await rowsOf(
      `insert into ${table} (client_id, ${id}, count, sum, c5) select $1, '${id?.[0]}' || ${numbered}, 1, 5, 1 from generate_series(1, ${PRODUCTS}) n where n % 3 = 0`,
      [shop.id],
    );
  await analyzeTables();
});

async function analyzeTables() {
  for (const table of ["products", "product_summaries", "family_summaries"]) await rowsOf(`analyze ${table}`);
}

describe("a page of summaries", () => {
  it.each([
    ["product", selectProductPage, "p"],
    ["family", selectFamilyPage, "f"],
  ] as const)("by %s costs the same at any position", async (_, select, letter) => {
    const at = async (number: number) => {
      const after = `${letter}${String(number).padStart(6, "0")}`;
      return queryCost(await captureStatement((db) => select(db, shop.id, after, 101)));
    };
    const far = letter === "p" ? PRODUCTS - 1_000 : PRODUCTS / 2 - 1_000;
    for (const place of [await at(0), await at(far)]) {
      expect(place.sorted).toBe(0);
      expect(place.read).toBeLessThanOrEqual(4 * 110);
    }
  });

  it.each([
    ["product", selectProductPage],
    ["family", selectFamilyPage],
  ] as const)("by %s scans a limited number of deleted products and continues after them", async (_, select) => {
    const own = await aClient();
    await rowsOf(
      `insert into products (client_id, id, family_id, name, deleted) select $1, 'p' || to_char(n, 'FM000000'), 'p' || to_char(n, 'FM000000'), 'Lamp', n < 900 from generate_series(1, 1000) n`,
      [own.id],
    );
    await someReviews(own.id, [{ product_id: "p000450", family_id: "p000450", accepted: true }]);
    await analyzeTables();
    const pages: string[][] = [];
    for (let after = "", more = true; more; ) {
      const rows = await select(pool(), own.id, after, 41, 200);
      const { shown, last } = cutPage(rows, 40, { hit: ({ listed }) => listed, edge: ({ edge }) => edge });
      pages.push(shown.map(({ id }) => id));
      more = last !== undefined;
      after = last?.id ?? "";
    }
    const listed = Array.from({ length: 101 }, (_, index) => `p000${900 + index}`).map((id) =>
      id.replace("p0001000", "p001000"),
    );
    expect(pages.flat()).toEqual(["p000450", ...listed]);
    expect(pages.map(({ length }) => length)).toEqual([0, 0, 1, 0, 40, 40, 21]);
    const { read } = await queryCost(await captureStatement((db) => select(db, own.id, "", 41, 200)));
    expect(read).toBeLessThanOrEqual(3 * 210);
  });

  it.each(["product", "family"] as const)("by %s reads external totals only if there are any", async (by) => {
    const ids = Array.from(
      { length: 100 },
      (_, index) => `${by === "product" ? "p" : "f"}${String(index * 7).padStart(6, "0")}`,
    );
    const read = async () =>
      (await queryCost(await captureStatement((db) => externalTotals(db, shop.client, ids, by)))).read;
    await rowsOf("delete from external_totals where client_id = $1", [shop.id]);
    expect(await read()).toBe(0);
    await rowsOf(
      "insert into external_totals (client_id, product_id, source, kind, count) values ($1, 'p000700', 'x', 'pro', 1)",
      [shop.id],
    );
    expect(await read()).toBeGreaterThan(0);
  });
});
