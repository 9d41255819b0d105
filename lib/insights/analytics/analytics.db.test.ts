import { beforeAll, describe, expect, it } from "vitest";
import { foldReviewCounts } from "@/lib/catalog/summaries/fold-review-counts";
import { analyticsCsv, getAnalytics } from "@/lib/insights/analytics/get-analytics";
import { AnalyticsQuery } from "@/lib/insights/analytics/schema";
import { selectUnitCounts } from "@/lib/insights/analytics/sql";
import { withNow } from "@/lib/platform/clock";
import { aClient, rowsOf, someProducts, someReviews, type TestClient, uniqueName } from "@/lib/tools/test/factories";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";

let shop: TestClient;
const today = new Date("2026-05-20T12:00:00Z");
const month = "2026-05";
const longAgo = new Date(today.getTime() - 400 * 86_400_000);

beforeAll(async () => {
  shop = await aClient();
  await someProducts(shop.id, [
    { id: "P-1", family_id: "F", brand: "Lanterna", category: "Lamps", name: "Lamp" },
    { id: "P-2", family_id: "F", brand: "Lanterna", category: "Wicks", name: "Wick" },
    { id: "P-3", brand: null, category: null },
  ]);
  const hour = (hours: number) => new Date(today.getTime() + hours * 3_600_000);
  await someReviews(shop.id, [
    {
      product_id: "P-1",
      family_id: "F",
      accepted: true,
      score: 5,
      lang: "sv",
      date: "2026-05-20",
      created_at: today,
      decided_at: hour(1),
    },
    {
      product_id: "P-1",
      family_id: "F",
      accepted: true,
      score: 2,
      lang: "sv",
      date: "2026-05-20",
      created_at: today,
      decided_at: hour(3),
    },
    {
      product_id: "P-2",
      family_id: "F",
      accepted: false,
      score: 1,
      lang: "en",
      date: "2026-05-20",
      created_at: today,
      decided_at: hour(5),
    },
    {
      product_id: "P-3",
      family_id: "P-3",
      accepted: null,
      score: 4,
      lang: null,
      date: "2026-05-20",
      created_at: today,
    },
    // decided elsewhere: counted, but not in the moderation time
    {
      product_id: "P-3",
      family_id: "P-3",
      accepted: true,
      score: 4,
      source: "import",
      date: "2026-05-20",
      created_at: today,
      decided_at: hour(900),
    },
    { product_id: "P-1", family_id: "F", accepted: true, score: 1, date: "2025-04-15", created_at: longAgo },
  ]);
  await someReviews((await aClient()).id, [
    { product_id: "P-1", accepted: true, date: "2026-05-20", created_at: today },
  ]);
  for (const [reviewed, lang, sent] of [
    [true, "sv", true],
    [false, "sv", true],
    [false, "en", true],
    [false, "en", false],
  ] as const)
    await rowsOf(
      `insert into invitations (client_id, id, status, day, lang, sent_at, reviewed_at)
       values ($1, $2, 'sent', $3, $4, case when $5 then now() end, case when $6 then now() end)`,
      [shop.id, uniqueName("inv"), `${month}-20`, lang, sent, reviewed],
    );
});

const ask = (given: Record<string, string> = {}) =>
  withNow(today, () => getAnalytics(shop.client, AnalyticsQuery.parse(given)));

describe("analytics", () => {
  it("count reviews, their outcomes and moderation time, of this client and these days only", async () => {
    const { range, unit, units, total } = await ask();
    expect({ range, unit }).toEqual({ range: { from: "2025-06-01", to: "2026-05-20" }, unit: "month" });
    expect(units).toHaveLength(12);
    const may = { received: 5, published: 3, rejected: 1, pending: 1, average: 3.67, decided: 3, median_hours: 3 };
    expect(units.at(-1)).toMatchObject({ from: "2026-05-01", to: "2026-05-20", ...may });
    expect(total).toEqual({
      ...may,
      p90_hours: expect.closeTo(4.6, 5),
      dist: [0, 1, 0, 1, 1],
      emails: { sent: 3, answered: 1 },
    });
    expect(units.reduce((sum, one) => sum + one.received, 0)).toBe(5);
    expect((await ask({ period: "24m" })).total.received).toBe(6);
    expect((await ask({ period: "custom", from: "2026-05-21", to: "2026-05-31" })).total.received).toBe(0);
  });

  it("group reviews, and the groups add up to the total", async () => {
    const of = async (by: string) =>
      (await ask({ by })).rows.map(({ key, name, received, published }) => [key, name, received, published]);
    expect(await of("product")).toEqual([
      ["P-1", "Lamp", 2, 2],
      ["P-3", expect.any(String), 2, 1],
      ["P-2", "Wick", 1, 0],
    ]);
    expect(await of("family")).toEqual([
      ["F", "Lamp", 3, 2],
      ["P-3", expect.any(String), 2, 1],
    ]);
    expect(await of("brand")).toEqual([
      ["Lanterna", "Lanterna", 3, 2],
      [null, null, 2, 1],
    ]);
    expect((await of("category")).map(([key, , received]) => [key, received])).toEqual([
      ["Lamps", 2],
      [null, 2],
      ["Wicks", 1],
    ]);
    expect((await of("rating")).map(([key, , received]) => [key, received])).toEqual([
      ["4", 2],
      ["1", 1],
      ["2", 1],
      ["5", 1],
    ]);
    expect((await of("source")).reduce((sum, [, , received]) => sum + Number(received), 0)).toBe(5);
    expect((await of("language")).reduce((sum, [, , received]) => sum + Number(received), 0)).toBe(5);
  });

  it("count the same from the counts by day as from the reviews themselves, before and after folding", async () => {
    const read = () => Promise.all([ask({ lang: "sv" }), ask({ lang: "sv", product: "F" }), ask({ stars: "12" })]);
    const before = await read();
    expect(before.map(({ total }) => total.received)).toEqual([2, 2, 2]);
    while ((await foldReviewCounts()) > 0);
    expect(await read()).toEqual(before);
  });

  it("filter by product or family, brand, category, language, source and stars", async () => {
    const received = async (filter: Record<string, string>) => (await ask(filter)).total.received;
    expect(await received({ product: "F" })).toBe(3);
    expect(await received({ product: "P-2" })).toBe(1);
    expect(await received({ brand: "lanterna" })).toBe(3);
    expect(await received({ category: "Wicks" })).toBe(1);
    expect(await received({ lang: "en" })).toBe(1);
    expect(await received({ source: "import" })).toBe(1);
    expect(await received({ brand: "Lanterna", stars: "15" })).toBe(2);
    expect((await ask({ product: "P-2" })).rows.map(({ key }) => key)).toEqual(["P-2"]);
  });

  it("group brands and categories whatever their case, as the filters do, and sort by name", async () => {
    const cased = await aClient();
    await someProducts(cased.id, [
      { id: "1", family_id: "1", name: "Zebra", brand: "Lanterna" },
      { id: "2", family_id: "2", name: "apple", brand: "lanterna" },
    ]);
    await someReviews(cased.id, [
      { product_id: "1", family_id: "1", date: "2026-05-02", lang: "pt-BR" },
      { product_id: "2", family_id: "2", date: "2026-05-02" },
    ]);
    const of = (given: Record<string, string>) =>
      withNow(today, () => getAnalytics(cased.client, AnalyticsQuery.parse(given)));
    expect((await of({ by: "brand" })).rows).toMatchObject([{ key: "Lanterna", received: 2 }]);
    expect((await of({ by: "product", sort: "name", dir: "asc" })).rows.map(({ name }) => name)).toEqual([
      "apple",
      "Zebra",
    ]);
    expect((await of({ lang: "pt-BR" })).total.received).toBe(1);
  });

  it("answer for any days that a link may have", async () => {
    for (const [from, to] of [
      ["9999-12-01", "9999-12-31"],
      ["0001-01-01", "4100-01-01"],
      ["2026-05-20", "2026-05-20"],
    ] as const) {
      const { units, range } = await ask({ period: "custom", from, to });
      expect(units.length, from).toBeLessThanOrEqual(62);
      expect(range.to <= "2026-05-21").toBe(true);
    }
    expect((await ask({ brand: "\0", lang: "x'--", stars: "9" })).total.received).toBe(5);
  });

  it("include email figures only where emails have the property", async () => {
    expect((await ask({ brand: "Lanterna" })).total.emails).toBeNull();
    expect((await ask({ lang: "sv" })).total.emails).toEqual({ sent: 2, answered: 1 });
  });

  it("compare with the days before or a year before, and sort by what changed", async () => {
    const other = await aClient();
    await someProducts(other.id, [
      { id: "up", family_id: "up" },
      { id: "down", family_id: "down" },
      { id: "few", family_id: "few" },
    ]);
    const reviews = (product_id: string, date: string, scores: number[]) =>
      scores.map((score) => ({ product_id, family_id: product_id, date, score, accepted: true }));
    await someReviews(other.id, [
      ...reviews("up", "2026-05-02", [5, 5, 5]),
      ...reviews("up", "2026-02-19", [3, 4, 3]),
      ...reviews("down", "2026-05-03", [1, 2, 2, 3]),
      ...reviews("down", "2026-02-20", [5, 5, 4]),
      ...reviews("few", "2026-05-03", [1, 1]),
      ...reviews("few", "2026-02-20", [5, 5, 5]),
      ...reviews("up", "2025-05-03", [1]),
    ]);
    const of = (given: Record<string, string>) =>
      withNow(today, () => getAnalytics(other.client, AnalyticsQuery.parse({ period: "quarter", ...given })));
    const { range, compared, rows } = await of({ sort: "change", dir: "asc" });
    expect(range).toEqual({ from: "2026-04-01", to: "2026-05-20" });
    expect(compared).toMatchObject({ from: "2026-01-01", to: "2026-02-20", total: { published: 9 } });
    expect(rows.map(({ key, average, average_before }) => [key, average, average_before])).toEqual([
      ["down", 2, 4.67],
      ["up", 5, 3.33],
      ["few", 1, null],
    ]);
    expect((await of({ sort: "name", dir: "asc" })).rows.map(({ key }) => key)).toEqual(["down", "few", "up"]);
    const year = await of({ compare: "year" });
    expect(year.compared).toMatchObject({ from: "2025-04-01", to: "2025-05-20", total: { published: 1, average: 1 } });
    expect((await of({ compare: "none" })).compared).toBeNull();
  });

  it("name the pros and cons that several published reviews have", async () => {
    const named = await aClient();
    const review = { date: "2026-05-02", accepted: true };
    await someReviews(named.id, [
      { ...review, pros: ["Warm light", "Cheap"], cons: ["Heavy"] },
      { ...review, pros: ["warm light ", "Warm light"], cons: ["heavy", " "] },
      { ...review, pros: ["warm light"], cons: ["Heavy"], score: 1 },
      { ...review, accepted: null, pros: ["Cheap"] },
      { ...review, date: "2024-05-02", pros: ["Cheap"] },
    ]);
    const of = async (given: Record<string, string>) =>
      (await withNow(today, () => getAnalytics(named.client, AnalyticsQuery.parse(given)))).topics;
    expect(await of({})).toEqual({
      pros: [{ text: "Warm light", reviews: 3 }],
      cons: [{ text: "Heavy", reviews: 3 }],
      scanned: null,
    });
    expect(await of({ stars: "1" })).toEqual({ pros: [], cons: [], scanned: null });
  });

  it("export all groups, without formulas", async () => {
    const formulas = await aClient();
    await someProducts(formulas.id, [{ id: "=cmd|lamp", family_id: "=cmd|lamp", name: "Lamp, red" }]);
    await someReviews(formulas.id, [
      { product_id: "=cmd|lamp", family_id: "=cmd|lamp", date: "2026-05-02", score: 4, accepted: true },
      { product_id: "P-9", family_id: "P-9", date: "2026-05-02", score: 1 },
    ]);
    const csv = await withNow(today, () =>
      analyticsCsv(formulas.client, AnalyticsQuery.parse({ sort: "published" })).then((body) =>
        new Response(body).text(),
      ),
    );
    expect(csv).toBe(
      `product,name,received,published,rejected,pending,average,average_before\n"'=cmd|lamp","Lamp, red",1,1,0,0,4,\nP-9,,1,0,0,1,,\n`,
    );
  });

  it("read the counts of their days only", async () => {
    const old = await aClient();
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, score, date, feedback_token, created_at, updated_at)
       select $1, 'r' || n, 'import', 'P-1', 4, at::date, $1 || n, at, at
         from (select n, case when n <= 10 then $2 else $3 end::timestamptz - n * interval '1 day' as at from generate_series(1, 5000) n) g`,
      [old.id, today, longAgo],
    );
    while ((await foldReviewCounts(5_000)) > 0);
    await rowsOf("analyze review_counts");
    const range = { from: "2026-05-01", to: "2026-05-31" };
    const work = await queryCost(
      await captureStatement((db) => selectUnitCounts(db, old.id, range, {} as never, "day")),
    );
    expect(work.read).toBeGreaterThanOrEqual(10);
    expect(work.read).toBeLessThan(100);
  });
});
