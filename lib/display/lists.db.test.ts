import { beforeEach, describe, expect, it } from "vitest";
import { GET as questions } from "@/app/onpage/[client_id]/questions.json/route";
import { GET as ratings } from "@/app/onpage/[client_id]/ratings.json/route";
import { GET as list } from "@/app/onpage/[client_id]/reviews/list.json/route";
import { GET as summary } from "@/app/onpage/[client_id]/reviews.json/route";
import { GET as sellerReviews } from "@/app/onpage/[client_id]/seller_reviews.json/route";
import { selectQuestionPage, selectSellerPage } from "@/lib/display/dated-lists-sql";
import { type ReviewCursor, selectReviewPage } from "@/lib/display/review-list-sql";
import { type ReviewSort, reviewSorts } from "@/lib/display/schema";
import { selectRatings, selectSummary } from "@/lib/display/sql";
import { pool } from "@/lib/platform/db/pool";
import { get, statusAndFields } from "@/lib/tools/test/collection-rows";
import { displayPath, readDisplay, walkDisplay } from "@/lib/tools/test/display";
import {
  aClient,
  anAnswer,
  aResponse,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";

let shop: TestClient;
beforeEach(async () => {
  shop = await aClient();
});
const at = (file: string, query?: string) => displayPath(shop.id, file, query);

const paged = (query: string) => walkDisplay(at("reviews/list.json", query), "reviews");

type Made = {
  id: string;
  score: number;
  date: string;
  votes_up: number;
  votes_down: number;
  lang: string;
  verified_buyer: boolean;
  images: unknown[];
};
const photo = {
  token: "t".repeat(32),
  key: "k".repeat(32),
  format: "jpeg",
  width: 30,
  height: 20,
  sizes: { icon: [100, 100], medium: [30, 20], large: [30, 20] },
};

describe("GET /onpage/{client_id}/reviews/list.json", () => {
  /** Reviews that differ in everything lists filter and sort by, with many ties. */
  async function manyReviews(): Promise<Made[]> {
    const created: Made[] = Array.from({ length: 60 }, (_, n) => ({
      id: `r${String(n).padStart(2, "0")}`,
      score: 1 + ((n * 7) % 5),
      date: `2026-01-${10 + (n % 9)}`,
      votes_up: (n * 5) % 4,
      votes_down: (n * 3) % 3,
      lang: n % 4 === 0 ? "de" : "en",
      verified_buyer: n % 3 !== 0,
      images: n % 6 === 0 ? [photo] : [],
    }));
    const created_at = new Date("2026-02-01T08:00:00Z");
    await someReviews(
      shop.id,
      created.map((review) => ({ ...review, images: JSON.stringify(review.images), created_at, accepted: true })),
    );
    await someReviews(shop.id, [
      { accepted: null },
      { accepted: false },
      { accepted: true, product_id: "other", family_id: "other" },
    ]);
    return created;
  }
  const newestFirst = (a: Made, b: Made) => (a.date === b.date ? (a.id < b.id ? 1 : -1) : a.date < b.date ? 1 : -1);
  const helpful = ({ votes_up, votes_down }: Made) => votes_up - votes_down;
  const sorted: Record<ReviewSort, (a: Made, b: Made) => number> = {
    newest: newestFirst,
    highest: (a, b) => b.score - a.score || newestFirst(a, b),
    lowest: (a, b) => a.score - b.score || newestFirst(a, b),
    most_helpful: (a, b) => helpful(b) - helpful(a) || newestFirst(a, b),
  };
  const choices: [query: string, chosen: (review: Made) => boolean][] = [
    ["", () => true],
    ["&score=4", ({ score }) => score === 4],
    ["&score=1,5,5", ({ score }) => score === 1 || score === 5],
    ["&lang=de", ({ lang }) => lang === "de"],
    ["&with_photos=1", ({ images }) => images.length > 0],
    ["&verified=true", ({ verified_buyer }) => verified_buyer],
    ["&verified=false&with_photos=0", () => true],
    [
      "&score=2,3&lang=en&verified=1&with_photos=true",
      ({ score, lang, verified_buyer, images }) =>
        (score === 2 || score === 3) && lang === "en" && verified_buyer && images.length > 0,
    ],
    ["&lang=xx", () => false],
  ];

  it("filters and sorts page by page, for a product and a family", async () => {
    const created = await manyReviews();
    for (const sort of reviewSorts)
      for (const [query, chosen] of choices) {
        const expected = created
          .filter(chosen)
          .sort(sorted[sort])
          .map(({ id }) => id);
        for (const of of ["key=sku-1", "url_key=sku-1"])
          expect([sort, query, await paged(`${of}&sort=${sort}${query}&limit=7`)]).toEqual([sort, query, expected]);
      }
  });

  it("continues after the last scanned review, however few match", async () => {
    await manyReviews();
    const subject = { kind: "product", id: "sku-1" } as const;
    for (const sort of reviewSorts) {
      const choice = { sort, score: [5], lang: "de", verified: true, with_photos: false, limit: 2 };
      const found: string[] = [];
      let pages = 0;
      for (let place: ReviewCursor | null = null, more = true; more; pages += 1) {
        const rows = await selectReviewPage(pool(), shop.id, subject, choice, place, 5);
        found.push(
          ...rows
            .slice(0, 2)
            .filter(({ hit }) => hit)
            .map(({ id }) => id),
        );
        const last = rows.length > 2 ? rows[1] : rows.findLast(({ edge }) => edge);
        more = last !== undefined;
        if (last) place = { rank: last.rank, date: last.date, createdAt: last.created_at.toISOString(), id: last.id };
      }
      expect([sort, found, pages > 2]).toEqual([
        sort,
        await paged(`key=sku-1&sort=${sort}&score=5&lang=de&verified=1`),
        true,
      ]);
    }
  });

  it("includes only the filters in the next page's URL", async () => {
    await manyReviews();
    const query = "key=sku-1&sort=highest&score=5,4&lang=en&with_photos=0&verified=1&limit=3&utm=x&token=sk_x";
    const next = new URL((await readDisplay(at("reviews/list.json", query))).next_page_url);
    expect(Object.fromEntries(next.searchParams)).toEqual({
      key: "sku-1",
      sort: "highest",
      score: "4,5",
      lang: "en",
      verified: "true",
      limit: "3",
      after: expect.any(String),
    });
  });

  it.each([
    ["score=6", "score"],
    ["score=4,", "score"],
    ["score=", "score"],
    ["with_photos=yes", "with_photos"],
    ["verified=2", "verified"],
    [`lang=${"x".repeat(36)}`, "lang"],
  ])("%s: 400", async (query, field) => {
    expect(await statusAndFields(await get(list, at("reviews/list.json", `key=p&${query}`)))).toEqual([400, [field]]);
  });

  it("rejects the cursor of another order, and forged ones", async () => {
    await manyReviews();
    const next = (await readDisplay(at("reviews/list.json", "key=sku-1&sort=lowest"))).next_page_url as string;
    for (const address of [
      next.replace("sort=lowest", "sort=highest"),
      next.replace("sort=lowest&", ""),
      `${next.replace(/after=[^&]*/, "")}after=${Buffer.from(
        JSON.stringify([
          "display.reviews.lowest",
          null,
          "1e9",
          "2026-01-01T00:00:00.000Z",
          "2026-01-01T00:00:00.000Z",
          "a",
        ]),
      ).toString("base64url")}`,
    ]) {
      expect(await statusAndFields(await get(list, address))).toEqual([400, ["after"]]);
    }
  });

  it("lists exactly a language with a region", async () => {
    const languages = ["pt", "pt-BR", "pt-PT", "pt_BR"];
    const [, brazilian] = await someReviews(
      shop.id,
      languages.map((lang) => ({ accepted: true, lang })),
    );
    expect(await paged("key=sku-1&lang=pt-BR")).toEqual([brazilian]);
  });
});

describe("facets of a summary", () => {
  it("update languages, photos and verified buyers", async () => {
    const [id] = await someReviews(shop.id, [
      { accepted: true, lang: "de", verified_buyer: true, images: JSON.stringify([photo]) },
      { accepted: true, lang: "en" },
      { accepted: true, lang: "en", verified_buyer: true },
      { lang: "sv", verified_buyer: true },
    ]);
    const shown = async (query = "key=sku-1") => {
      const { your_photo_review_count, your_verified_review_count, your_review_languages } = await readDisplay(
        at("reviews.json", query),
      );
      return [your_photo_review_count, your_verified_review_count, your_review_languages];
    };
    const en = { lang: "en", count: 2 };
    for (const query of ["key=sku-1", "url_key=sku-1"])
      expect(await shown(query)).toEqual([1, 2, [en, { lang: "de", count: 1 }]]);
    for (const [change, now] of [
      ["images = '[]'", [0, 2, [en, { lang: "de", count: 1 }]]],
      ["lang = 'fr'", [0, 2, [en, { lang: "fr", count: 1 }]]],
      ["verified_buyer = false", [0, 1, [en, { lang: "fr", count: 1 }]]],
      ["accepted = null, accepted_at = null", [0, 1, [en]]],
    ]) {
      await rowsOf(`update reviews set ${change} where client_id = $1 and id = $2`, [shop.id, id]);
      expect(await shown()).toEqual(now);
    }
    await rowsOf("delete from reviews where client_id = $1", [shop.id]);
    expect(await shown()).toEqual([0, 0, []]);
    // No facets of deleted reviews remain.
    expect(await rowsOf("select facet, value from review_facets where client_id = $1", [shop.id])).toEqual([]);
  });
});

describe("GET /onpage/{client_id}/questions.json", () => {
  const shown = async (query = "key=sku-1") => (await readDisplay(at("questions.json", query))).questions;

  const answered = (author: string, text: string) => ({
    ...{ author, date: "2026-01-16", extract: text, lang: "en" },
    ...{ name: author, response: text, icon: null, images: [] },
  });

  it("shows a question as soon as it's accepted and answered, without personal data of its author", async () => {
    const [id = ""] = await someQuestions(shop.id, [
      { author_email: "secret@example.org", author_ip: "203.0.113.9", customer_id: "C-1", mail_answer: true },
    ]);
    const count = async () => {
      const { your_question_count, your_question_url } = await readDisplay(at("reviews.json", "key=sku-1"));
      expect(your_question_url).toBe(
        your_question_count === 0 ? null : `http://localhost:3000${at("questions.json", "key=sku-1")}`,
      );
      return [your_question_count, (await shown()).length];
    };
    const set = (table: string, assignment: string) =>
      rowsOf(`update ${table} set ${assignment} where client_id = $1`, [shop.id]);
    expect(await count()).toEqual([0, 0]);
    await set("questions", "accepted = true, accepted_at = now()");
    expect(await count()).toEqual([0, 0]);
    await anAnswer(shop.id, id, { accepted: null, answer: "Draft." });
    expect(await count()).toEqual([0, 0]);
    await set("answers", "accepted = true, accepted_at = now()");
    expect(await count()).toEqual([1, 1]);
    await set("answers", "answer = 'E27, 40 W.'");
    await anAnswer(shop.id, id, { author: "Cleo", answer: "E14 fits too.", from_seller: false });
    await anAnswer(shop.id, id, { accepted: false, answer: "Rejected." });
    const response = await get(questions, at("questions.json", "key=sku-1"));
    const text = await response.text();
    expect(text).not.toMatch(/secret@example\.org|203\.0\.113\.9|C-1|mail_answer|portal|Rejected/);
    expect(JSON.parse(text)).toEqual({
      questions: [
        {
          id,
          author: "Bo",
          date: "2026-01-15",
          question: "Which bulb?",
          details: "",
          lang: null,
          product: "Lamp",
          images: [],
          answers: [
            { author: "Shop", date: "2026-01-16", answer: "E27, 40 W.", lang: "en", from_seller: true },
            { author: "Cleo", date: "2026-01-16", answer: "E14 fits too.", lang: "en", from_seller: false },
          ],
          title: "Which bulb?",
          extract: "",
          responses: [
            { ...answered("Shop", "E27, 40 W."), from_seller: true },
            { ...answered("Cleo", "E14 fits too."), from_seller: false },
          ],
          votes_up: 0,
          votes_down: 0,
          feedback_url: null,
        },
      ],
      next_page_url: null,
    });
    await rowsOf("delete from answers where client_id = $1 and answer like 'E14%'", [shop.id]);
    expect((await shown())[0].answers).toHaveLength(1);
    await set("questions", "product_id = 'sku-2'");
    expect(await count()).toEqual([0, 0]);
    expect(await shown("key=sku-2")).toHaveLength(1);
    expect(await shown("url_key=sku-1")).toHaveLength(1);
    await set("questions", "accepted = false, accepted_at = null, reject_reason = 'spam'");
    expect(await shown("url_key=sku-1")).toEqual([]);
    await set("questions", "accepted = true, accepted_at = now(), reject_reason = null");
    expect(await shown("url_key=sku-1")).toHaveLength(1);
    await rowsOf("delete from questions where client_id = $1", [shop.id]);
    expect(await shown("url_key=sku-1")).toEqual([]);
    const counted = await rowsOf("select question_count from product_summaries where client_id = $1", [shop.id]);
    expect(counted.every(({ question_count }) => question_count === 0)).toBe(true);
  });

  it("doesn't change a summary's figures or its list of reviews if a question's text changes", async () => {
    const [id = ""] = await someQuestions(shop.id, [{ accepted: true }]);
    await anAnswer(shop.id, id);
    const etags = async () =>
      (
        await Promise.all([
          get(summary, at("reviews.json", "key=sku-1")),
          get(questions, at("questions.json", "key=sku-1")),
        ])
      ).map((response) => response.headers.get("etag"));
    const [before, listed] = await etags();
    await rowsOf("update questions set question = 'Which bulb fits?' where client_id = $1", [shop.id]);
    const [after, listTag] = await etags();
    expect([after === before, listTag === listed]).toEqual([true, false]);
  });

  it("pages from the newest to the oldest, also if the client groups by family", async () => {
    await rowsOf("update clients set expand_family = true where id = $1", [shop.id]);
    await someProducts(shop.id, [{ id: "sku-1", family_id: "f" }]);
    const ids = await someQuestions(
      shop.id,
      Array.from({ length: 23 }, (_, n) => ({
        id: `q${String(n).padStart(2, "0")}`,
        family_id: "f",
        product_id: n % 2 ? "sku-1" : "sku-2",
        date: `2026-01-${10 + Math.floor(n / 5)}`,
        created_at: new Date(Date.UTC(2026, 1, 1, 0, 0, Math.floor(n / 2))),
        accepted: true,
      })),
    );
    for (const id of ids) await anAnswer(shop.id, id);
    const found: string[] = [];
    for (let next: string | null = at("questions.json", "key=sku-1&limit=4&x=y"); next; ) {
      const page = await readDisplay(next);
      found.push(...page.questions.map(({ id }: { id: string }) => id));
      next = page.next_page_url;
      expect(next ?? "").not.toContain("x=y");
    }
    expect(found).toEqual(ids.toReversed());
  });
});

describe("GET /onpage/{client_id}/seller_reviews.json", () => {
  it("shows what authors publish, and the figures of all accepted ones", async () => {
    const answer = () => readDisplay(at("seller_reviews.json"));
    expect(await answer()).toEqual({
      avg_score: null,
      review_count: 0,
      score_dist: [0, 0, 0, 0, 0],
      seller_reviews: [],
      next_page_url: null,
    });
    const [id = ""] = await someSellerReviews(shop.id, [
      {
        ...{
          accepted: true,
          score: 4,
          title: "Fine",
          author_email: "secret@example.org",
          order_id: "O-77",
          lang: "en",
        },
        incentivized: true,
      },
      { score: 1 },
      { accepted: false, score: 1 },
    ]);
    await aResponse(shop.id, "seller_review", id);
    const shown = await answer();
    expect(JSON.stringify(shown)).not.toMatch(/secret@example\.org|O-77|portal|accepted/);
    expect(shown).toEqual({
      avg_score: 4,
      review_count: 1,
      score_dist: [0, 0, 0, 1, 0],
      seller_reviews: [
        {
          id,
          author: "Ada",
          score: 4,
          score_max: 5,
          date: "2026-01-15",
          extract: "Quick.",
          lang: "en",
          verified_buyer: false,
          incentivized: true,
          responses: [
            {
              author: "Shop",
              date: "2026-01-16",
              extract: "Thank you.",
              lang: "en",
              updated_at: expect.stringMatching(/^20.*Z$/),
              name: "Shop",
              response: "Thank you.",
              icon: null,
              images: [],
            },
          ],
          images: [],
          properties: { title: "Fine" },
        },
      ],
      next_page_url: null,
    });
    await rowsOf("update seller_reviews set score = 5 where client_id = $1 and id = $2", [shop.id, id]);
    expect(await answer()).toMatchObject({ avg_score: 5, score_dist: [0, 0, 0, 0, 1] });
    await rowsOf("delete from seller_reviews where client_id = $1", [shop.id]);
    expect(await answer()).toMatchObject({ avg_score: null, review_count: 0, seller_reviews: [] });
  });

  it("pages by limit, offset and scores, or by cursor, newest first", async () => {
    const created = Array.from({ length: 37 }, (_, n) => ({
      id: `s${String(n).padStart(2, "0")}`,
      score: 1 + (n % 5),
      date: `2026-01-${10 + Math.floor(n / 8)}`,
      created_at: new Date(Date.UTC(2026, 1, 1, 0, 0, Math.floor(n / 3))),
      accepted: true,
    }));
    await someSellerReviews(shop.id, created);
    const of = (min: number, max: number) =>
      created
        .filter(({ score }) => min <= score && score <= max)
        .map(({ id }) => id)
        .reverse();
    const ids = (page: { seller_reviews: { id: string }[] }) => page.seller_reviews.map(({ id }) => id);
    const page = (query: string) => readDisplay(at("seller_reviews.json", query));
    expect(ids(await page(""))).toEqual(of(1, 5).slice(0, 10));
    expect(ids(await page("limit=7&offset=14"))).toEqual(of(1, 5).slice(14, 21));
    expect(ids(await page("limit=5&offset=5&min=2&max=4"))).toEqual(of(2, 4).slice(5, 10));
    expect(ids(await page("offset=10000"))).toEqual([]);
    expect(await page("min=5&max=5&limit=1")).toMatchObject({ review_count: 37, score_dist: [8, 8, 7, 7, 7] });
    for (const [query, expected] of [
      ["limit=6", of(1, 5)],
      ["limit=6&min=4", of(4, 5)],
      ["limit=6&offset=3&max=3", of(1, 3).slice(3)],
    ] as const) {
      const found: string[] = [];
      for (let next: string | null = at("seller_reviews.json", query); next; ) {
        const one = await readDisplay(next);
        found.push(...ids(one));
        next = one.next_page_url;
      }
      expect(found).toEqual(expected);
    }
  });

  it.each([
    ["limit=0", "limit"],
    ["offset=-1", "offset"],
    ["offset=x", "offset"],
    ["offset=10001", "offset"],
    ["min=0", "min"],
    ["max=6", "max"],
    ["min=4&max=3", "max"],
    ["callback=a b", "callback"],
    ["after=x", "after"],
  ])("%s: 400", async (query, field) => {
    expect(await statusAndFields(await get(sellerReviews, at("seller_reviews.json", query)))).toEqual([400, [field]]);
  });
});

describe("GET /onpage/{client_id}/ratings.json", () => {
  const rated = async (query: string) => (await readDisplay(at("ratings.json", query))).ratings;
  const figures = [
    "score",
    "your_review_count",
    "your_avg_score",
    "your_score_dist",
    "pro_review_count",
    "user_review_count",
  ];

  it("returns each product's and family's summary figures, in the requested order", async () => {
    await someProducts(shop.id, [
      { id: "a", family_id: "f" },
      { id: "b", family_id: "f" },
      { id: "a,b", family_id: "g" },
    ]);
    await someReviews(shop.id, [
      { product_id: "a", family_id: "f", score: 5, accepted: true },
      { product_id: "a", family_id: "f", score: 4, accepted: true },
      { product_id: "b", family_id: "f", score: 1, accepted: true },
      { product_id: "a,b", family_id: "g", score: 2, accepted: true },
      { product_id: "b", family_id: "f", score: 1 },
    ]);
    const query = "key=b&key=a&key=nobody%27s&key=a%2Cb&key=b&url_key=f&url_key=none";
    const requested = [
      ["key", "b"],
      ["key", "a"],
      ["key", "nobody's"],
      ["key", "a,b"],
      ["key", "b"],
      ["url_key", "f"],
      ["url_key", "none"],
    ] as const;
    const asSummaries = async () => {
      const response = await rated(query);
      expect(response).toHaveLength(requested.length);
      for (const [index, [name, id]] of requested.entries()) {
        const full = await readDisplay(at("reviews.json", `${name}=${encodeURIComponent(id)}`));
        expect(response[index]).toEqual({
          key: null,
          url_key: null,
          [name]: id,
          ...Object.fromEntries(figures.map((figure) => [figure, full[figure]])),
        });
      }
      return response;
    };
    expect((await asSummaries())[0]).toMatchObject({ your_review_count: 1, your_avg_score: 1, score: 2 });
    await rowsOf("update clients set expand_family = true where id = $1", [shop.id]);
    expect((await asSummaries())[0]).toMatchObject({ your_review_count: 3, your_avg_score: 3.33, score: 6.67 });
    await rowsOf("update clients set external_user_reviews = true where id = $1", [shop.id]);
    await rowsOf(
      "insert into external_totals (client_id, product_id, source, kind, count, score_dist) values ($1, 'b', 'x', 'user', 3, '{0,0,0,0,3}')",
      [shop.id],
    );
    expect((await asSummaries())[0]).toMatchObject({ your_review_count: 3, user_review_count: 3, score: 8.33 });
    await rowsOf("update clients set expand_family = false where id = $1", [shop.id]);
    expect((await asSummaries())[0]).toMatchObject({ your_review_count: 1, user_review_count: 3, score: 8 });
  });

  it("reads only the requested rows, however large the catalog", async () => {
    await rowsOf(
      `insert into product_summaries (client_id, product_id) select $1, 'p' || n from generate_series(1, 5000) n`,
      [shop.id],
    );
    await rowsOf(
      `insert into family_summaries (client_id, family_id) select $1, 'f' || n from generate_series(1, 5000) n`,
      [shop.id],
    );
    await rowsOf(
      `insert into products (client_id, id, family_id, name) select $1, 'p' || n, 'f' || n, 'Lamp' from generate_series(1, 5000) n`,
      [shop.id],
    );
    for (const table of ["products", "product_summaries", "family_summaries"]) await rowsOf(`vacuum analyze ${table}`);
    const ids = (letter: string) => Array.from({ length: 100 }, (_, n) => `${letter}${1 + n * 50}`);
    for (const expand of [false, true]) {
      await rowsOf("update clients set expand_family = $2 where id = $1", [shop.id, expand]);
      const statement = await captureStatement((db) => selectRatings(db, shop.id, ids("p"), ids("f")));
      expect((await queryCost(statement)).read).toBeLessThanOrEqual(450);
    }
  });

  it("returns two hundred in one response, 304 for a matching ETag, and as a script", async () => {
    const query = Array.from({ length: 200 }, (_, n) => `${n < 150 ? "key" : "url_key"}=sku-${n}`).join("&");
    const first = await get(ratings, at("ratings.json", query));
    expect(((await first.json()) as { ratings: unknown[] }).ratings).toHaveLength(200);
    expect(first.headers.get("cache-control")).toContain("stale-while-revalidate");
    const etag = first.headers.get("etag") ?? "";
    expect((await get(ratings, at("ratings.json", query), { "if-none-match": etag })).status).toBe(304);
    await someReviews(shop.id, [{ product_id: "sku-149", accepted: true }]);
    expect((await get(ratings, at("ratings.json", query), { "if-none-match": etag })).status).toBe(200);
    const script = await (await get(ratings, at("ratings.json", "key=a&callback=f"))).text();
    expect(script).toMatch(/^\/\*\*\/f\(\{"ratings":\[\{"key":"a",.*\}\]\}\);$/);
  });

  it.each([
    ["", ["key"]],
    ["callback=f", ["key"]],
    [Array.from({ length: 201 }, (_, n) => `key=${n}`).join("&"), ["key"]],
    [`${Array.from({ length: 150 }, (_, n) => `key=${n}`).join("&")}&${"url_key=f&".repeat(51)}`, ["key"]],
    [`key=a&key=${"b".repeat(256)}&url_key=c`, ["key[1]"]],
    ["key=a&callback=1", ["callback"]],
  ])("%.30s…: 400", async (query, fields) => {
    const [status, found] = await statusAndFields(await get(ratings, at("ratings.json", query)));
    expect([status, [...new Set(found)]]).toEqual([400, fields]);
  });
});

describe("every display call", () => {
  it("returns data of its own client only, and 404 for an unknown one", async () => {
    const other = await aClient();
    await someReviews(other.id, [{ accepted: true }]);
    await someSellerReviews(other.id, [{ accepted: true }]);
    const [question = ""] = await someQuestions(other.id, [{ accepted: true }]);
    await anAnswer(other.id, question);
    for (const [endpoint, file, empty] of [
      [list, "reviews/list.json", { reviews: [] }],
      [questions, "questions.json", { questions: [] }],
      [sellerReviews, "seller_reviews.json", { seller_reviews: [] }],
      [ratings, "ratings.json", { ratings: [{ your_review_count: 0 }] }],
    ] as const) {
      expect(await readDisplay(at(file, "key=sku-1"))).toMatchObject(empty);
      expect(await statusAndFields(await get(endpoint, `/onpage/nobody.example/${file}?key=sku-1`))).toEqual([
        404,
        ["client_id"],
      ]);
    }
  });
});

describe("a page of a list", () => {
  const REVIEWS = 10_000;
  const manyReviews = async (client: string) => {
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, family_id, score, date, created_at, feedback_token, accepted,
         accepted_at, votes_up, lang, verified_buyer, images, answers)
       select $1, 'r' || to_char(n, 'FM000000'), 'import', 'p', 'f', 1 + n % 5, date '2024-01-01' + n / 40,
              timestamptz '2026-01-01' + n * interval '1 s', $1 || n, true, now(), n % 11, case when n % 500 = 0 then 'fi' else 'en' end, n % 2 = 0,
              case when n % 1000 = 0 then '[{}]'::jsonb else '[]' end,
              jsonb_build_object('fit', case when n % 2 = 0 then 's' else 'm' end, 'use', 'In room ' || n)
         from generate_series(1, ${REVIEWS}) n`,
      [client],
    );
    await rowsOf("vacuum analyze reviews");
  };
  const manySellerReviews = async (client: string) => {
    await rowsOf(
      `insert into seller_reviews (client_id, id, source, score, date, created_at, feedback_token, accepted, accepted_at)
       select $1, 's' || to_char(n, 'FM000000'), 'import', 1 + n % 5, date '2024-01-01' + n / 40,
              timestamptz '2026-01-01' + n * interval '1 s', $1 || n, true, now() from generate_series(1, ${REVIEWS}) n`,
      [client],
    );
    await rowsOf("vacuum analyze seller_reviews");
  };

  it("costs the same wherever it begins, in every order", async () => {
    await manyReviews(shop.id);
    const farCursor = { date: "2024-02-10", createdAt: "2026-01-01T00:30:00.000Z", id: "r001800" };
    const cost = async (
      choice: Partial<Parameters<typeof selectReviewPage>[3]>,
      place: ReviewCursor | null,
      subject: "product" | "family",
    ) =>
      queryCost(
        await captureStatement((db) =>
          selectReviewPage(
            db,
            shop.id,
            { kind: subject, id: subject[0] ?? "" },
            {
              sort: "newest",
              limit: 10,
              score: undefined,
              lang: undefined,
              verified: undefined,
              with_photos: undefined,
              ...choice,
            },
            place,
          ),
        ),
      );
    for (const subject of ["product", "family"] as const)
      for (const [choice, rank] of [
        [{ sort: "newest" }, null],
        [{ sort: "newest", score: [3] }, null],
        [{ sort: "newest", score: [1, 5] }, null],
        [{ sort: "newest", with_photos: true }, null],
        [{ sort: "highest" }, 3],
        [{ sort: "lowest" }, 3],
        [{ sort: "lowest", score: [2, 3] }, 3],
        [{ sort: "most_helpful" }, 4],
      ] as const)
        for (const place of [null, { ...farCursor, rank }]) {
          const { read, sorted } = await cost(choice as never, place, subject);
          // Keys of a page for each score, and the page's reviews themselves.
          expect([choice, place !== null, read <= 80 && sorted <= 200, read, sorted]).toEqual([
            choice,
            place !== null,
            true,
            read,
            sorted,
          ]);
        }
    // A summary, of which the newest reviews' pros and cons are the most expensive part.
    const custom_questions = ["fit", "use"].map((id, index) => ({
      id,
      type: index === 0 ? "select" : "text",
      options: ["s", "m"].map((option) => ({ id: option })),
    }));
    await rowsOf("update clients set custom_questions = $2 where id = $1", [shop.id, JSON.stringify(custom_questions)]);
    for (const kind of ["product", "family"] as const) {
      const subject = { kind, id: kind[0] ?? "" };
      const { read } = await queryCost(await captureStatement((db) => selectSummary(db, shop.id, subject, null)));
      expect(read).toBeLessThanOrEqual(1_100);
      expect((await selectSummary(pool(), shop.id, subject, null))?.facets).toEqual([
        { facet: "answer.fit", value: "", count: REVIEWS },
        { facet: "lang", value: "en", count: REVIEWS - REVIEWS / 500 },
        { facet: "answer.fit", value: "m", count: REVIEWS / 2 },
        { facet: "answer.fit", value: "s", count: REVIEWS / 2 },
        { facet: "verified", value: "", count: REVIEWS / 2 },
        { facet: "lang", value: "fi", count: REVIEWS / 500 },
        { facet: "photos", value: "", count: REVIEWS / 1_000 },
      ]);
    }
    // A filter without an index scans at most so many.
    for (const sort of reviewSorts) {
      const { read } = await cost({ sort, lang: "sv" }, null, "product");
      expect(read).toBeLessThanOrEqual(5 * 5_100);
    }
  }, 60_000);

  it("of seller reviews costs the same wherever its cursor begins", async () => {
    await manySellerReviews(shop.id);
    const farCursor = { date: "2024-02-10", createdAt: "2026-01-01T00:30:00.000Z", id: "s001800" };
    for (const scores of [[1, 2, 3, 4, 5], [5], [1, 2]])
      for (const after of [null, farCursor]) {
        const { read } = await queryCost(
          await captureStatement((db) => selectSellerPage(db, shop.id, { scores, after, offset: 0, limit: 11 })),
        );
        expect(read).toBeLessThanOrEqual(60);
      }
  }, 60_000);

  it("of questions costs the same wherever it begins", async () => {
    // No more: each answer updates the same summary, and a transaction rereads all versions of it.
    await rowsOf(
      `insert into questions (client_id, id, source, product_id, family_id, question, date, created_at, feedback_token, accepted, accepted_at)
       select $1, 'q' || to_char(n, 'FM000000'), 'web', 'p', 'f', 'Why?', date '2024-01-01' + n / 40,
              timestamptz '2026-01-01' + n * interval '1 s', $1 || n, true, now() from generate_series(1, 600) n`,
      [shop.id],
    );
    await rowsOf(
      `insert into answers (client_id, id, question_id, author, answer, date, accepted, accepted_at)
       select client_id, 'a' || id, id, 'Shop', 'So.', date, true, now() from questions where client_id = $1`,
      [shop.id],
    );
    for (const table of ["questions", "answers"]) await rowsOf(`vacuum analyze ${table}`);
    for (const kind of ["product", "family"] as const)
      for (const after of [null, { date: "2024-01-11", createdAt: "2026-01-01T00:06:40.000Z", id: "q000400" }]) {
        const { read } = await queryCost(
          await captureStatement((db) => selectQuestionPage(db, shop.id, { kind, id: kind[0] ?? "" }, after, 11)),
        );
        expect(read).toBeLessThanOrEqual(40);
      }
  }, 60_000);
});
