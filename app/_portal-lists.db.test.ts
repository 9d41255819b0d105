import { globSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { getProductPage } from "@/lib/catalog/products/get-product-page";
import { getAnalytics } from "@/lib/insights/analytics/get-analytics";
import {
  cursorOf,
  insertListRows,
  type PortalList,
  pagesWithoutList,
  portalLists,
} from "@/lib/tools/bench/portal-lists";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { totalQueryCost } from "@/lib/tools/test/query-cost";

// What a page of each of the portal's lists reads, with whichever filter, while there is so much else that a list which
// looks through all of it, counts it or steps over it shows: rows, not time, since a busy machine must not decide. What is
// rare lies at the far end, so that a list which walks until it has enough walks through everything. How long the same
// pages take at a million rows tells `npm run bench -- --only lists`.

/** Three times what any page looks through at most, so that no sieve hides a walk through everything. */
const ROWS = 60_000;
/** Rows that a page may touch: its own with what hangs on each, and never a share of all. */
const MAX_ROWS_PER_PAGE = 600;

let shop: TestClient;
let lists: Map<string, PortalList>;

beforeAll(async () => {
  shop = await aClient();
  lists = new Map(portalLists(shop.client).map((list) => [list.name, list]));
  await insertListRows(rowsOf, shop, ROWS);
}, 300_000);

const names = portalLists({} as never).map(({ name }) => name);

describe("a page of the portal", () => {
  it.each(names)("reads a bounded number of rows: %s", async (name) => {
    const { fetchPage, maxScannedRows = 0 } = lists.get(name) as PortalList;
    const max = maxScannedRows + MAX_ROWS_PER_PAGE;
    const first = await totalQueryCost(() => fetchPage());
    expect(first.read).toBeLessThanOrEqual(max);
    expect(first.sorted).toBeLessThanOrEqual(max);
    const after = cursorOf(await fetchPage());
    if (after === undefined) return;
    const second = await totalQueryCost(() => fetchPage(after));
    expect(second.read, "the next page").toBeLessThanOrEqual(max);
    expect(second.sorted, "the next page").toBeLessThanOrEqual(max);
  });

  it("is among these lists, or has none that grows", () => {
    const folder = path.join(import.meta.dirname, "portal/(member)");
    const pages = globSync("**/page.tsx", { cwd: folder }).map((file) => path.dirname(file));
    const listed = new Set(portalLists({} as never).map(({ page }) => page));
    expect(pages.toSorted()).toEqual([...listed, ...Object.keys(pagesWithoutList)].toSorted());
  });
});

describe("pictures over time", () => {
  it("of a product read its own reviews, by an index", async () => {
    const { read, whole } = await totalQueryCost(() => getProductPage(shop.client, "p7"));
    expect(read).toBeLessThanOrEqual(ROWS / 20 + MAX_ROWS_PER_PAGE);
    expect(whole.filter((table) => table === "reviews")).toEqual([]);
  });

  it("of a client read each review and mail of the time a few times, and what they are about once", async () => {
    const { read } = await totalQueryCost(() => getAnalytics(shop.client, { months: 6, by: "brand" } as never));
    expect(read).toBeLessThanOrEqual(4 * ROWS + MAX_ROWS_PER_PAGE);
  });
});
