import { beforeAll, describe, expect, it, vi } from "vitest";
import * as display from "@/app/onpage/[client_id]/reviews.json/route";
import * as summaries from "@/app/v1/summaries/route";
import { setClient } from "@/lib/settings/set-client";
import { call, readAll } from "@/lib/tools/test/call";
import { aClient, rowsOf, someProducts, someReviews, type TestClient } from "@/lib/tools/test/factories";
import { expectCursorRejected, expectIssues, expectList } from "@/lib/tools/test/lists";

const statistics =
  "your_review_count your_avg_score pro_review_count user_review_count score your_score_dist your_review_answers".split(
    " ",
  );

let shop: TestClient;
beforeAll(async () => {
  shop = await aClient();
  await someProducts(shop.id, [
    { id: "lamp-s", family_id: "lamps", name: "Small lamp", brand: "Lanterna" },
    { id: "lamp-l", family_id: "lamps", name: "Large lamp", brand: null },
    { id: "bulb", family_id: "bulbs", name: "Bulb" },
    { id: "old", family_id: "olds", name: "Old", deleted: true },
    { id: "gone", family_id: "gones", name: "Gone", deleted: true },
    { id: "lamp-x", family_id: "lamps", name: "Gone lamp", deleted: true },
  ]);
  const of = (product_id: string | null, family_id: string, score: number, accepted: boolean | null = true) => ({
    product_id,
    family_id,
    score,
    accepted,
  });
  await someReviews(shop.id, [
    of("lamp-s", "lamps", 5),
    of("lamp-s", "lamps", 4),
    of("lamp-s", "lamps", 4),
    of("lamp-s", "lamps", 1, null),
    of("lamp-s", "lamps", 1, false),
    of("lamp-l", "lamps", 5),
    of(null, "lamps", 2),
    of("old", "olds", 3),
    of("nowhere", "nowhere", 5),
  ]);
  await someReviews((await aClient()).id, [of("lamp-s", "lamps", 1)]);
});

const all = async (query: string) =>
  (await call(summaries, "GET", `/v1/summaries${query}`, { key: shop.key })).json.data;

describe("GET /v1/summaries", () => {
  it("counts accepted reviews by product", async () => {
    const rows = await all("");
    for (const row of rows)
      expect(Object.keys(row).sort()).toEqual(["id", "family_id", "title", "brand", ...statistics].sort());
    expect(rows).toEqual([
      {
        id: "bulb",
        family_id: "bulbs",
        title: "Bulb",
        brand: "Lanterna",
        your_review_count: 0,
        your_avg_score: null,
        pro_review_count: 0,
        user_review_count: 0,
        score: null,
        your_score_dist: [0, 0, 0, 0, 0],
        your_review_answers: null,
      },
      {
        id: "lamp-l",
        family_id: "lamps",
        title: "Large lamp",
        brand: null,
        your_review_count: 1,
        your_avg_score: 5,
        pro_review_count: 0,
        user_review_count: 0,
        score: 10,
        your_score_dist: [0, 0, 0, 0, 1],
        your_review_answers: null,
      },
      {
        id: "lamp-s",
        family_id: "lamps",
        title: "Small lamp",
        brand: "Lanterna",
        your_review_count: 3,
        your_avg_score: 4.33,
        pro_review_count: 0,
        user_review_count: 0,
        score: 8.67,
        your_score_dist: [0, 0, 0, 2, 1],
        your_review_answers: null,
      },
      // deleted, but has a review
      expect.objectContaining({ id: "old", your_review_count: 1, your_avg_score: 3, score: 6 }),
    ]);
  });

  it("counts by family; a family without reviews has only its id", async () => {
    const expected = [
      { family_id: "bulbs" },
      {
        family_id: "lamps",
        your_review_count: 5,
        your_avg_score: 4,
        pro_review_count: 0,
        user_review_count: 0,
        score: 8,
        your_score_dist: [0, 1, 0, 2, 2],
        your_review_answers: null,
      },
      expect.objectContaining({ family_id: "olds", your_review_count: 1 }),
    ];
    expect(await all("?by_family=1")).toEqual(expected);
    expect(await all("?by_family=true")).toEqual(expected);
    expect(await all("?by_family=0")).toHaveLength(4);
    expect(await all("?by_family=false")).toHaveLength(4);
  });

  it("sums answers to custom questions by product like the widget, and not by family", async () => {
    const clientSettings = {
      custom_questions: [
        { id: "fit", type: "score", required: false, categories: [], label: {} },
        { id: "why", type: "text", required: false, categories: [], label: {} },
      ],
    };
    const own = await aClient(clientSettings);
    await someProducts(own.id, [
      { id: "a", family_id: "f" },
      { id: "b", family_id: "f" },
    ]);
    await someReviews(own.id, [
      { product_id: "a", family_id: "f", accepted: true, answers: { fit: 4, why: "x" } },
      { product_id: "a", family_id: "f", accepted: true, answers: { fit: 5 } },
      { product_id: "a", family_id: "f", accepted: null, answers: { fit: 1 } },
    ]);
    const rows = await readAll(summaries, "/v1/summaries", { key: own.key });
    for (const { id, your_review_answers } of rows) {
      const shown = await call(display, "GET", `/onpage/${own.id}/reviews.json?key=${id}`);
      expect(your_review_answers).toEqual(shown.json.your_review_answers);
    }
    expect(rows.map(({ id, your_review_answers }) => [id, your_review_answers[0]])).toMatchObject([
      ["a", { name: "fit", type: "score", count: 2, avg_score: 4.5 }],
      ["b", { name: "fit", type: "score", count: 0, avg_score: null }],
    ]);
    const [family] = await readAll(summaries, "/v1/summaries?by_family=1", { key: own.key });
    expect(family!.your_review_answers).toBeNull();
  });

  it("omits a deleted product after its last review is gone", async () => {
    const own = await aClient();
    await someProducts(own.id, [{ id: "p", family_id: "f", deleted: true }]);
    const ids = async () =>
      [
        ...(await readAll(summaries, "/v1/summaries", { key: own.key })),
        ...(await readAll(summaries, "/v1/summaries?by_family=1", { key: own.key })),
      ].map((row) => row.id ?? row.family_id);
    expect(await ids()).toEqual([]);
    await someReviews(own.id, [{ product_id: "p", family_id: "f", accepted: true }]);
    expect(await ids()).toEqual(["p", "f"]);
    await rowsOf("delete from reviews where client_id = $1", [own.id]);
    expect(await ids()).toEqual([]);
  });

  it("updates when a review's family, product or score changes", async () => {
    const own = await aClient();
    await someProducts(own.id, [
      { id: "a", family_id: "fa" },
      { id: "b", family_id: "fb" },
    ]);
    const [id] = await someReviews(own.id, [{ product_id: "a", family_id: "fa", accepted: true, score: 2 }]);
    await rowsOf("update reviews set product_id = 'b', family_id = 'fb', score = 5 where client_id = $1 and id = $2", [
      own.id,
      id,
    ]);
    const rows = await readAll(summaries, "/v1/summaries", { key: own.key });
    expect(rows.map((row) => [row.id, row.your_review_count, row.your_score_dist])).toEqual([
      ["a", 0, [0, 0, 0, 0, 0]],
      ["b", 1, [0, 0, 0, 0, 1]],
    ]);
    expect(await readAll(summaries, "/v1/summaries?by_family=1", { key: own.key })).toEqual([
      { family_id: "fa" },
      expect.objectContaining({ family_id: "fb", score: 10 }),
    ]);
  });

  it("pages by product and by family, in order with any query plan", async () => {
    const own = await aClient();
    const products = Array.from({ length: 60 }, (_, index) => ({
      id: `p-${String(index).padStart(3, "0")}`,
      family_id: `f-${String((index * 7) % 30).padStart(3, "0")}`,
    }));
    await someProducts(own.id, products);
    await someReviews(
      own.id,
      products.slice(0, 20).map(({ id, family_id }) => ({ product_id: id, family_id, accepted: true })),
    );
    await rowsOf("analyze");
    await expectList(
      summaries,
      "/v1/summaries",
      own.key,
      products.map(({ id }) => id),
    );
    const families = [...new Set(products.map(({ family_id }) => family_id))].sort();
    await expectList(summaries, "/v1/summaries?by_family=1", own.key, families, "family_id");
    await expectCursorRejected(summaries, "/v1/summaries", summaries, "/v1/summaries?by_family=1", own.key);
    await expectCursorRejected(summaries, "/v1/summaries?by_family=1", summaries, "/v1/summaries", own.key);
  });

  it("weights external ratings and includes the enabled ones", async () => {
    const own = await aClient({
      external_pro_reviews: true,
      external_user_reviews: true,
      external_review_locale: "en_US, sv_SE",
      external_review_countries: "SE",
    });
    await someProducts(own.id, [{ id: "p", family_id: "f" }]);
    await someReviews(own.id, [{ product_id: "p", family_id: "f", accepted: true, score: 5 }]);
    const total = (kind: string, source: string, locale: string, country: string, count: number, dist: string) =>
      rowsOf(
        "insert into external_totals (client_id, product_id, source, kind, locale, country, count, score_dist) values ($1, 'p', $2, $3, $4, $5, $6, $7)",
        [own.id, source, kind, locale, country, count, dist],
      );
    await total("pro", "a", "en_US", "SE", 1, "{0,0,0,0,1}");
    await total("user", "b", "sv_SE", "SE", 2, "{2,0,0,0,0}");
    await total("user", "c", "de_DE", "SE", 1, "{0,0,1,0,0}");
    const expected = { your_review_count: 1, your_avg_score: 5, pro_review_count: 1, user_review_count: 2, score: 6 };
    // own 10, external 10 + 2 + 2 + 6, over five reviews
    expect(await readAll(summaries, "/v1/summaries", { key: own.key })).toMatchObject([expected]);
    expect(await readAll(summaries, "/v1/summaries?by_family=1", { key: own.key })).toMatchObject([expected]);
  });

  it("follows the settings and the external ratings, and includes families with external ratings only", async () => {
    const own = await aClient({ external_pro_reviews: true });
    await someProducts(own.id, [
      { id: "p", family_id: "f" },
      { id: "q", family_id: "f" },
    ]);
    const total = (product: string, kind: string, count: number, dist: string) =>
      rowsOf(
        "insert into external_totals (client_id, product_id, source, kind, count, score_dist) values ($1, $2, 'a', $3, $4, $5)",
        [own.id, product, kind, count, dist],
      );
    const rows = async (query = "") =>
      (await readAll(summaries, `/v1/summaries${query}`, { key: own.key })).map((row) => [
        row.score,
        row.pro_review_count,
        row.user_review_count,
      ]);
    await total("p", "pro", 3, "{0,0,0,0,3}");
    await total("q", "user", 1, "{0,0,0,1,0}");
    await total("q", "pro", 2, "{0,0,0,0,0}");
    expect(await rows()).toEqual([
      [10, 3, 0],
      [8, 2, 0],
    ]);
    expect(await rows("?by_family=1")).toEqual([[9.5, 5, 0]]);
    await setClient(own.id, { external_pro_reviews: false, external_user_reviews: true });
    await vi.waitFor(async () => expect(await rows("?by_family=1")).toEqual([[9.5, 0, 1]]), { timeout: 5_000 });
    await rowsOf("delete from external_totals where client_id = $1 and score_dist <> '{0,0,0,0,0}'", [own.id]);
    expect(await rows("?by_family=1")).toEqual([[null, 0, 0]]);
    await rowsOf("delete from external_totals where client_id = $1", [own.id]);
    expect(await readAll(summaries, "/v1/summaries?by_family=1", { key: own.key })).toEqual([{ family_id: "f" }]);
  });

  it("rejects invalid parameters, all together", async () => {
    expectIssues(await call(summaries, "GET", "/v1/summaries?by_family=yes&limit=0", { key: shop.key }), 400, [
      "by_family invalid_parameter",
      "limit invalid_parameter",
    ]);
  });
});
