import { beforeAll, describe, expect, it } from "vitest";
import { getAnalytics } from "@/lib/insights/analytics/get-analytics";
import { AnalyticsQuery } from "@/lib/insights/analytics/schema";
import { periodFigures } from "@/lib/insights/home/period-figures";
import { withNow } from "@/lib/platform/clock";
import { aClient, aResponse, rowsOf, someProducts, someReviews, uniqueName } from "@/lib/tools/test/factories";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";
import { selectPeriodFigures } from "./sql";

const today = new Date("2026-05-20T12:00:00Z");
const HOUR = 3_600_000;
const later = (from: Date, hours: number) => new Date(from.getTime() + hours * HOUR);
const daysAgo = (days: number) => later(today, -24 * days);

type Shop = Awaited<ReturnType<typeof aClient>>;
const figuresOf = (shop: Shop, ...rest: [limits?: { maxReviews: number; maxMails: number }]) =>
  withNow(today, () => periodFigures(shop.client, ...rest));

/** Invitation emails of a day, with how many led to a review. */
async function someEmails(clientId: string, day: string, sent: number, answered: number, extra = "null, null") {
  await rowsOf(
    `insert into invitations (client_id, id, status, day, sent_at, reviewed_at, handed_at, taken_at)
     select $1, $2 || n, 'sent', $3, now(), case when n <= $5 then now() end, ${extra} from generate_series(1, $4) n`,
    [clientId, uniqueName("inv"), day, sent, answered],
  );
}

/** The time and the date of a review. */
const received = (at: Date) => ({ created_at: at, date: at.toISOString().slice(0, 10) });

/** Published reviews of a product, one per score. */
const published = (product_id: string, at: Date, scores: number[]) =>
  scores.map((score) => ({ product_id, family_id: product_id, accepted: true, score, source: "api", ...received(at) }));

let shop: Shop;
beforeAll(async () => {
  shop = await aClient();
  await someProducts(shop.id, [{ id: "up", name: "Rising lamp" }, { id: "down", name: "Falling lamp" }, { id: "few" }]);
  const [recent, earlier, before] = [daysAgo(3), daysAgo(40), daysAgo(61)];
  await someReviews(shop.id, [
    ...published("up", recent, [5, 5, 4]),
    ...published("up", earlier, [3, 3, 2, 3]),
    ...published("down", recent, [1, 2, 2]),
    ...published("down", earlier, [4, 4, 5]),
    // the largest change, but too few reviews in one period
    ...published("few", recent, [5, 5, 5, 5]),
    ...published("few", earlier, [1, 1]),
    // not in the catalog
    ...published("unlisted", recent, [4, 4, 4]),
    ...published("unlisted", earlier, [4, 4, 3]),
    // no change
    ...published("same", recent, [3, 3, 3]),
    ...published("same", earlier, [3, 3, 3]),
    ...published("up", before, [1, 1, 1]),
  ]);
  // Moderated here: three in the recent period, of which one was rejected, and one earlier. One is pending.
  const moderated = [
    { ...received(recent), decided_at: later(recent, 1), accepted: true, score: 2 },
    { ...received(recent), decided_at: later(recent, 2), accepted: true, score: 3 },
    { ...received(recent), decided_at: later(recent, 30), accepted: false, score: 1 },
    { ...received(earlier), decided_at: later(earlier, 8), accepted: true, score: 4 },
    { ...received(recent), accepted: null, score: 1 },
  ];
  const [quick, slow, rejected, old] = (await someReviews(
    shop.id,
    moderated.map((review) => ({ ...review, product_id: "other", family_id: "other" })),
  )) as [string, string, string, string];
  // The first reply counts. A rejected review's doesn't.
  await aResponse(shop.id, "review", quick, { created_at: later(recent, 4) });
  await aResponse(shop.id, "review", quick, { created_at: later(recent, 50) });
  await aResponse(shop.id, "review", slow, { created_at: later(recent, 10) });
  await aResponse(shop.id, "review", rejected, { created_at: later(recent, 1) });
  await aResponse(shop.id, "review", old, { created_at: later(earlier, 12) });
  // An imported review counts as replied, without a time.
  const [imported] = (await someReviews(shop.id, [
    {
      source: "import",
      accepted: true,
      score: 5,
      product_id: "other",
      ...received(recent),
      decided_at: later(recent, 900),
    },
  ])) as [string];
  await aResponse(shop.id, "review", imported, { created_at: recent });
  await someEmails(shop.id, "2026-05-20", 6, 2);
  await someEmails(shop.id, "2026-04-21", 2, 0);
  await someEmails(shop.id, "2026-04-20", 4, 1);
  await someEmails(shop.id, "2026-03-22", 1, 1);
  await someEmails(shop.id, "2026-03-21", 50, 50);
  // delegated: only those that the other sender accepted
  await someEmails(shop.id, "2026-05-01", 2, 1, "now(), now()");
  await someEmails(shop.id, "2026-05-01", 9, 0, "now(), null");

  const other = await aClient();
  await someReviews(other.id, [...published("up", recent, [1, 1, 1]), ...published("up", earlier, [5, 5, 5])]);
  await someEmails(other.id, "2026-05-20", 7, 7);
  await rowsOf("analyze reviews, responses, invitations");
});

describe("figures of the last 30 days", () => {
  it("count this store's reviews and emails of both periods", async () => {
    const { risen: _, fallen: __, ...figures } = await figuresOf(shop);
    expect(figures).toEqual({
      from: "2026-04-21",
      to: "2026-05-20",
      reviews: {
        published: 19,
        average: 3.68,
        dist: [1, 3, 4, 4, 7],
        replied: 3,
        reply_hours: 7,
        decided: 3,
        decision_hours: 2,
      },
      reviewsBefore: {
        published: 16,
        average: 3.13,
        dist: [2, 1, 7, 5, 1],
        replied: 1,
        reply_hours: 12,
        decided: 1,
        decision_hours: 8,
      },
      emails: { sent: 10, answered: 3 },
      emailsBefore: { sent: 5, answered: 2 },
      reviewsCapped: null,
      emailsCapped: null,
    });
  });

  it("agree with a recount of all rows, and with analytics", async () => {
    const figures = await figuresOf(shop);
    for (const [part, from, to] of [
      [figures.reviews, "2026-04-21", "2026-05-21"],
      [figures.reviewsBefore, "2026-03-22", "2026-04-21"],
    ]) {
      const scores = (
        await rowsOf(
          "select score, created_at from reviews where client_id = $1 and accepted and created_at >= $2 and created_at < $3",
          [shop.id, `${from}T00:00:00Z`, `${to}T00:00:00Z`],
        )
      ).map(({ score }) => score);
      expect(part).toMatchObject({
        published: scores.length,
        average: Math.round((100 * scores.reduce((a, b) => a + b, 0)) / scores.length) / 100,
        dist: [1, 2, 3, 4, 5].map((score) => scores.filter((each) => each === score).length),
      });
    }
    const { total, compared } = await withNow(today, () =>
      getAnalytics(shop.client, AnalyticsQuery.parse({ period: "30d" })),
    );
    for (const [part, emails, counted] of [
      [figures.reviews, figures.emails, total],
      [figures.reviewsBefore, figures.emailsBefore, compared?.total],
    ] as const)
      expect(counted).toMatchObject({
        published: part?.published,
        average: part?.average,
        dist: part?.dist,
        decided: part?.decided,
        median_hours: part?.decision_hours,
        emails,
      });
  });

  it("list the products whose average changed most, with enough reviews in both periods", async () => {
    const { risen, fallen } = await figuresOf(shop);
    expect(risen).toEqual([
      { id: "up", name: "Rising lamp", average: 4.67, average_before: 2.75 },
      { id: "unlisted", name: null, average: 4, average_before: 3.67 },
    ]);
    expect(fallen).toEqual([{ id: "down", name: "Falling lamp", average: 1.67, average_before: 4.33 }]);
  });

  it("list at most three products that rose and three that fell, the largest change first", async () => {
    const many = await aClient();
    const reviews = [1, 2, 3, 4].flatMap((n) => [
      ...published(`up-${n}`, daysAgo(1), [5, 5, n + 1]),
      ...published(`up-${n}`, daysAgo(31), [1, 1, 1]),
      ...published(`down-${n}`, daysAgo(1), [1, 1, 1]),
      ...published(`down-${n}`, daysAgo(31), [5, 5, n]),
    ]);
    await someReviews(many.id, reviews);
    const { risen, fallen } = await figuresOf(many);
    expect(risen.map(({ id }) => id)).toEqual(["up-4", "up-3", "up-2"]);
    expect(fallen.map(({ id }) => id)).toEqual(["down-4", "down-3", "down-2"]);
  });

  it("are zero or unknown for a store without reviews", async () => {
    const none = {
      published: 0,
      average: null,
      dist: [0, 0, 0, 0, 0],
      replied: 0,
      reply_hours: null,
      decided: 0,
      decision_hours: null,
    };
    expect(await figuresOf(await aClient())).toMatchObject({
      reviews: none,
      reviewsBefore: none,
      emails: { sent: 0, answered: 0 },
      emailsBefore: { sent: 0, answered: 0 },
      risen: [],
      fallen: [],
    });
  });

  it("start and end with the store's days", async () => {
    const tokyo = await aClient({ config: { time_zone: "Asia/Tokyo" } });
    const reviews = [
      ["2026-04-20T15:00:00Z", "2026-04-21", 5], // midnight in Tokyo: the first moment of the last 30 days
      ["2026-04-20T14:59:59Z", "2026-04-20", 4],
      ["2026-03-21T15:00:00Z", "2026-03-22", 3], // the first moment of the 30 days before
      ["2026-03-21T14:59:59Z", "2026-03-21", 1],
    ] as const;
    await someReviews(
      tokyo.id,
      reviews.map(([at, date, score]) => ({ accepted: true, score, date, created_at: new Date(at) })),
    );
    expect(await figuresOf(tokyo)).toMatchObject({
      from: "2026-04-21",
      to: "2026-05-20",
      reviews: { published: 1, average: 5 },
      reviewsBefore: { published: 2, average: 3.5 },
    });
    // It's the next day in Tokyo.
    const evening = await withNow(new Date("2026-05-20T15:00:00Z"), () => periodFigures(tokyo.client));
    expect([evening.from, evening.to, evening.reviews.published]).toEqual(["2026-04-22", "2026-05-21", 0]);
  });

  it("count reviews by their date, however many older ones were imported", async () => {
    const imported = await aClient();
    await someReviews(imported.id, [
      ...published("up", daysAgo(3), [5, 4]),
      // imported today, and written long ago; posted today with tomorrow's date
      ...[1, 2, 3].map((score) => ({ accepted: true, score, source: "import", date: "2020-01-01", created_at: today })),
      { accepted: true, score: 1, date: "2026-05-21", created_at: today },
    ]);
    const figures = await figuresOf(imported, { maxReviews: 2, maxMails: 8 });
    expect(figures.reviews).toMatchObject({ published: 2, average: 4.5 });
    expect(figures.reviewsCapped).toEqual({ counted: 2, since: "2026-05-20" });
  });

  it("compare nothing if there are more reviews or emails than are counted", async () => {
    const capped = await figuresOf(shop, { maxReviews: 25, maxMails: 8 });
    expect(capped).toMatchObject({
      reviews: { published: 19 },
      reviewsBefore: null,
      emails: { sent: 8 },
      emailsBefore: null,
      risen: [],
      fallen: [],
      reviewsCapped: { counted: 25, since: "2026-04-10" },
      emailsCapped: { counted: 8, since: "2026-05-01" },
    });
  });

  it("read only the reviews and emails of 60 days", async () => {
    const old = await aClient();
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, score, accepted, accepted_at, date, feedback_token, created_at, updated_at)
       select $1, 'r' || n, 'import', 'P-1', 4, true, at, at::date, $1 || n, at, at
         from (select n, case when n <= 40 then $2 else $3 end::timestamptz as at from generate_series(1, 5040) n) g`,
      [old.id, daysAgo(5), daysAgo(90)],
    );
    await rowsOf(
      `insert into invitations (client_id, id, status, day, sent_at)
       select $1, 'i' || n, 'sent', case when n <= 30 then '2026-05-01' else '2026-01-01' end::date, now()
         from generate_series(1, 5030) n`,
      [old.id],
    );
    for (const n of [1, 2, 3]) await aResponse(old.id, "review", `r${n}`);
    await rowsOf("analyze reviews, responses, invitations");
    const scope = {
      before: "2026-03-22",
      from: "2026-04-21",
      to: "2026-05-20",
      zone: "UTC",
      maxReviews: 100_000,
      maxMails: 200_000,
    };
    const { read, seqScans } = await queryCost(await captureStatement((db) => selectPeriodFigures(db, old.id, scope)));
    expect(seqScans).not.toContain("reviews");
    expect(seqScans).not.toContain("invitations");
    expect(read).toBeGreaterThanOrEqual(70);
    expect(read).toBeLessThan(200);
    const capped = { ...scope, before: "2025-01-01", to: "2026-05-20", maxReviews: 500, maxMails: 500 };
    const bounded = await queryCost(await captureStatement((db) => selectPeriodFigures(db, old.id, capped)));
    expect(bounded.read).toBeLessThan(1_500);
  });
});
