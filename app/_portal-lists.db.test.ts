import { globSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { getProductPage } from "@/lib/catalog/products/get-product-page";
import { getAnalytics } from "@/lib/insights/analytics/get-analytics";
import { cursorOf, fillLists, type PortalList, pagesWithoutList, portalLists } from "@/lib/tools/bench/portal-lists";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { workOfVerb } from "@/lib/tools/test/plans";

// What a page of each of the portal's lists reads, with whichever filter, while there is so much else that a list which
// looks through all of it, counts it or steps over it shows: rows, not time, since a busy machine must not decide. What is
// rare lies at the far end, so that a list which walks until it has enough walks through everything. How long the same
// pages take at a million rows tells `npm run bench -- --only lists`.

/** Three times what any page looks through at most, so that no sieve hides a walk through everything. */
const ROWS = 60_000;
/** Rows that a page may touch: its own with what hangs on each, and never a share of all. */
const PAGE = 600;

let shop: TestClient;
let lists: Map<string, PortalList>;

beforeAll(async () => {
  shop = await aClient();
  lists = new Map(portalLists(shop.client).map((list) => [list.name, list]));
  await fillLists(rowsOf, shop, ROWS);
}, 300_000);

const names = portalLists({} as never).map(({ name }) => name);

describe("a page of the portal", () => {
  it.each(names)("reads no share of all there is: %s", async (name) => {
    const { ask, reach = 0 } = lists.get(name) as PortalList;
    const most = reach + PAGE;
    const first = await workOfVerb(() => ask());
    expect(first.read).toBeLessThanOrEqual(most);
    expect(first.sorted).toBeLessThanOrEqual(most);
    const after = cursorOf(await ask());
    if (after === undefined) return;
    const second = await workOfVerb(() => ask(after));
    expect(second.read, "the next page").toBeLessThanOrEqual(most);
    expect(second.sorted, "the next page").toBeLessThanOrEqual(most);
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
    const { read, whole } = await workOfVerb(() => getProductPage(shop.client, "p7"));
    expect(read).toBeLessThanOrEqual(ROWS / 20 + PAGE);
    expect(whole.filter((table) => table === "reviews")).toEqual([]);
  });

  it("of a client read each review and mail of the time a few times, and what they are about once", async () => {
    const { read } = await workOfVerb(() => getAnalytics(shop.client, { months: 6, by: "brand" } as never));
    expect(read).toBeLessThanOrEqual(4 * ROWS + PAGE);
  });
});
