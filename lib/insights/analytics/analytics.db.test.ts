import { beforeAll, describe, expect, it } from "vitest";
import { getAnalytics, monthsCsv, rowsCsv } from "@/lib/insights/analytics/get-analytics";
import { selectMonthFigures } from "@/lib/insights/analytics/sql";
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
    { id: "P-1", family_id: "F", brand: "Lanterna", name: "=cmd|lamp" },
    { id: "P-2", family_id: "F", brand: "Lanterna", name: "Wick" },
    { id: "P-3", brand: null },
  ]);
  const hour = (hours: number) => new Date(today.getTime() + hours * 3_600_000);
  await someReviews(shop.id, [
    { product_id: "P-1", family_id: "F", accepted: true, score: 5, lang: "sv", created_at: today, decided_at: hour(1) },
    { product_id: "P-1", family_id: "F", accepted: true, score: 2, lang: "sv", created_at: today, decided_at: hour(3) },
    {
      product_id: "P-2",
      family_id: "F",
      accepted: false,
      score: 1,
      lang: "en",
      created_at: today,
      decided_at: hour(5),
    },
    { product_id: "P-3", family_id: "P-3", accepted: null, score: 4, lang: null, created_at: today },
    // decided elsewhere: counted, but not in the moderation time
    {
      product_id: "P-3",
      family_id: "P-3",
      accepted: true,
      score: 4,
      source: "import",
      created_at: today,
      decided_at: hour(900),
    },
    { product_id: "P-1", family_id: "F", accepted: true, score: 1, created_at: longAgo },
  ]);
  await someReviews((await aClient()).id, [{ product_id: "P-1", accepted: true, created_at: today }]);
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

const ask = (given: object = {}) =>
  withNow(today, () => getAnalytics(shop.client, { months: 12, by: "product", ...given } as never));

describe("analytics", () => {
  it("counts reviews, their outcomes and moderation time, of this client and these months only", async () => {
    const { months, total, since, counted } = await ask();
    expect(months).toHaveLength(12);
    expect(months.at(-1)?.month).toBe(month);
    expect([since, counted]).toEqual([null, 5]);
    expect(total).toEqual({
      received: 5,
      published: 3,
      rejected: 1,
      waiting: 1,
      average: 3.67,
      decided: 3,
      median_hours: 3,
      p90_hours: expect.closeTo(4.6, 5),
      sent: 3,
      answered: 1,
    });
    const sums = months.reduce((sum, one) => sum + one.received, 0);
    expect(sums).toBe(5);
    expect((await ask({ months: 24 })).total.received).toBe(6);
  });

  it("groups by product, family, brand and language, and the groups add up to the total", async () => {
    const of = async (by: string) =>
      (await ask({ by })).rows.map(({ key, received, published }) => [key, received, published]);
    expect(await of("product")).toEqual([
      ["P-1", 2, 2],
      ["P-3", 2, 1],
      ["P-2", 1, 0],
    ]);
    expect(await of("family")).toEqual([
      ["F", 3, 2],
      ["P-3", 2, 1],
    ]);
    expect(await of("brand")).toEqual([
      ["Lanterna", 3, 2],
      [null, 2, 1],
    ]);
    for (const by of ["product", "family", "brand", "language"])
      expect(
        (await of(by)).reduce((sum, [, received]) => sum + Number(received), 0),
        by,
      ).toBe(5);
  });

  it("filtered to one group, includes email figures only where emails have that property", async () => {
    expect((await ask({ by: "brand", only: "Lanterna" })).total).toMatchObject({
      received: 3,
      sent: null,
      answered: null,
    });
    expect((await ask({ by: "language", only: "sv" })).total).toMatchObject({ received: 2, sent: 2, answered: 1 });
    expect((await ask({ by: "product", only: "P-2" })).rows.map(({ key }) => key)).toEqual(["P-2"]);
  });

  it("writes CSV in which no cell is a formula", async () => {
    const analytics = await ask();
    expect(rowsCsv(analytics, "product")).toContain("P-1,'=cmd|lamp,2,2,0,0,3.5");
    expect(monthsCsv(analytics).trimEnd().split("\r\n")).toHaveLength(13);
    expect(monthsCsv(analytics)).toContain(`${month},5,3,1,1,3.67,3,3,`);
  });

  it("reads only the reviews of its months", async () => {
    const old = await aClient();
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, score, date, feedback_token, created_at, updated_at)
       select $1, 'r' || n, 'import', 'P-1', 4, at::date, $1 || n, at, at
         from (select n, case when n <= 10 then $2 else $3 end::timestamptz as at from generate_series(1, 5000) n) g`,
      [old.id, today, longAgo],
    );
    await rowsOf("analyze reviews");
    const scope = { from: `${month}-01`, zone: "UTC", by: "product" } as const;
    const work = await queryCost(await captureStatement((db) => selectMonthFigures(db, old.id, scope)));
    expect(work.read).toBeGreaterThanOrEqual(10);
    expect(work.read).toBeLessThan(500);
  });
});
