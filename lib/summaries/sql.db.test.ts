import { beforeAll, describe, expect, it } from "vitest";
import { aClient, rowsOf, type TestClient } from "@/lib/test/factories";
import { sentBy, workOf } from "@/lib/test/plans";
import { selectFamilyPage, selectProductPage } from "./sql";

const PRODUCTS = 20_000;

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
  for (const table of ["products", "product_summaries", "family_summaries"]) await rowsOf(`analyze ${table}`);
});

describe("a page of summaries", () => {
  it.each([
    ["product", selectProductPage, "p"],
    ["family", selectFamilyPage, "f"],
  ] as const)("by %s costs the same wherever it begins", async (_, select, letter) => {
    const at = async (number: number) => {
      const after = `${letter}${String(number).padStart(6, "0")}`;
      return workOf(await sentBy((db) => select(db, shop.id, after, 101)));
    };
    const far = letter === "p" ? PRODUCTS - 1_000 : PRODUCTS / 2 - 1_000;
    for (const place of [await at(0), await at(far)]) {
      expect(place.sorted).toBe(0);
      expect(place.read).toBeLessThanOrEqual(4 * 110);
    }
  });
});
