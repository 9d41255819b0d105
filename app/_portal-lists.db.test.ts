import { globSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { getProductPage } from "@/lib/catalog/products/get-product-page";
import { getAnalytics } from "@/lib/insights/analytics/get-analytics";
import { AnalyticsQuery } from "@/lib/insights/analytics/schema";
import { MAX_TOPIC_REVIEWS } from "@/lib/insights/analytics/sql";
import {
  cursorOf,
  farScanned,
  insertListRows,
  type PortalList,
  pagesWithoutList,
  portalLists,
} from "@/lib/tools/bench/portal-lists";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { totalQueryCost } from "@/lib/tools/test/query-cost";

// Counts the rows that a page of each portal list reads, with each filter, among enough other rows that a list which
// scans, counts or skips all of them fails. Counts rows instead of time so that a busy machine can't change the result.
// Rare rows are at the far end, so that a list which scans until it has enough reads everything. `npm run bench --
// --only lists` measures the time at a million rows.

/** More than a page scans of a table, so that a filter can't hide a full scan. */
const ROWS = 12_000;
/** Of the tables that the pages with the most scanned rows scan: more than twice as many as these scan. */
const FAR_ROWS = 52_000;
/** Rows that a page may read: its own rows with their related rows, independent of the total. */
const MAX_ROWS_PER_PAGE = 600;
/** Rows that any page may read of a table with {@link ROWS} rows, also one that may scan more of the others. */
const MAX_ROWS_PER_TABLE = 8_600;

let shop: TestClient;
let lists: Map<string, PortalList>;

beforeAll(async () => {
  shop = await aClient();
  lists = new Map(portalLists(shop.client).map((list) => [titleOf(list), list]));
  await insertListRows(rowsOf, shop, { rows: ROWS, farRows: FAR_ROWS });
}, 300_000);

/** Lists of different pages may have the same name. */
const titleOf = ({ page, name }: PortalList) => `${page}: ${name}`;
const names = portalLists({} as never).map(titleOf);

describe("portal page", () => {
  it.each(names)("reads a bounded number of rows: %s", async (name) => {
    const { fetchPage, maxScannedRows = 0 } = lists.get(name) as PortalList;
    const max = maxScannedRows + MAX_ROWS_PER_PAGE;
    const cost = async (after?: string) => {
      const { read, tables, sorted, result } = await totalQueryCost(() => fetchPage(after));
      const page = after === undefined ? "the first page" : "the next page";
      expect(read, page).toBeLessThanOrEqual(max);
      expect(sorted, page).toBeLessThanOrEqual(max);
      for (const [table, rows] of Object.entries(tables))
        if (!farScanned.has(table)) expect(rows, `${page}: ${table}`).toBeLessThanOrEqual(MAX_ROWS_PER_TABLE);
      return result;
    };
    const after = cursorOf(await cost());
    if (after !== undefined) await cost(after);
  });

  it("scans less than half of the rows, and never as many as a table has", () => {
    const most = Math.max(...[...lists.values()].map(({ maxScannedRows = 0 }) => maxScannedRows)) + MAX_ROWS_PER_PAGE;
    expect(MAX_ROWS_PER_TABLE).toBeLessThan(ROWS);
    expect(2 * most).toBeLessThan(FAR_ROWS);
  });

  it("is among these lists, or has no list that grows", () => {
    const folder = path.join(import.meta.dirname, "portal/(member)");
    const pages = globSync("**/page.tsx", { cwd: folder }).map((file) => path.dirname(file));
    const listed = new Set(portalLists({} as never).map(({ page }) => page));
    expect(pages.toSorted()).toEqual([...listed, ...Object.keys(pagesWithoutList)].toSorted());
  });
});

describe("charts", () => {
  it("of a product read only its own reviews, by an index", async () => {
    const { read, whole } = await totalQueryCost(() => getProductPage(shop.client, "p7"));
    expect(read).toBeLessThanOrEqual(ROWS / 20 + MAX_ROWS_PER_PAGE);
    expect(whole.filter((table) => table === "reviews")).toEqual([]);
  });

  it("of a client read each review of the period twice and each email once, and groups of the catalog each review once more", async () => {
    const readBy = async (by: "rating" | "brand") =>
      (
        await totalQueryCost(() =>
          getAnalytics(shop.client, AnalyticsQuery.parse({ period: "24m", compare: "none", by })),
        )
      ).read;
    const byRating = await readBy("rating");
    expect(byRating).toBeGreaterThan(ROWS);
    expect(byRating).toBeLessThanOrEqual(2 * ROWS + FAR_ROWS + 2 * MAX_TOPIC_REVIEWS + MAX_ROWS_PER_PAGE);
    expect(await readBy("brand")).toBeLessThanOrEqual(byRating + ROWS + MAX_ROWS_PER_PAGE);
  });
});
