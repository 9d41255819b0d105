import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { POST as feedback } from "@/app/collect/feedback/[token]/route";
import { GET as questionList } from "@/app/onpage/[client_id]/questions.json/route";
import { GET as ratingList } from "@/app/onpage/[client_id]/ratings.json/route";
import { GET as reviewList } from "@/app/onpage/[client_id]/reviews/list.json/route";
import { GET as summary } from "@/app/onpage/[client_id]/reviews.json/route";
import { GET as sellerReviewList } from "@/app/onpage/[client_id]/seller_reviews.json/route";
import * as managedQuestions from "@/app/v1/questions/route";
import * as managedReview from "@/app/v1/reviews/[id]/route";
import * as managedReviews from "@/app/v1/reviews/route";
import * as managedSellerReviews from "@/app/v1/seller_reviews/route";
import * as managedSummaries from "@/app/v1/summaries/route";
import { average } from "@/lib/catalog/summaries/rules";
import type { Question } from "@/lib/reviews/questions/schema";
import type { Review } from "@/lib/reviews/reviews/schema";
import { syncFamilies } from "@/lib/reviews/reviews/sync-families";
import type { SellerReview } from "@/lib/reviews/seller-reviews/schema";
import { call, pathOf, readAll } from "@/lib/tools/test/call";
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

// Compares the public display with the management API after every single write. All displays were requested before it,
// so each is cached, and each is requested again with its ETag, as a browser does.

const products = ["p0", "p1", "p2"];
const families = ["f0", "f1"];
const custom_questions = [
  {
    id: "fit",
    type: "select",
    multiple: true,
    label: { en: "Fit" },
    options: ["small", "right", "large"].map((id) => ({ id, label: { en: id } })),
  },
  { id: "comfort", type: "score", label: { en: "Comfort" } },
  { id: "use", type: "text", label: { en: "Use" } },
];

const product = fc.constantFrom(...products);
const family = fc.constantFrom(...families);
const score = fc.integer({ min: 1, max: 5 });
const accepted = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constantFrom(false, null));
/** An index into the existing rows, wrapped to their number. */
const which = fc.nat(1_000);
const words = fc.record({
  score,
  accepted,
  pros: fc.subarray(["Light", "Cheap", "Quiet"]),
  cons: fc.subarray(["Cable", "Heavy"]),
  lang: fc.constantFrom("en", "de", "sv"),
  custom_questions: fc.record(
    {
      fit: fc.subarray(["small", "right", "large"], { minLength: 1 }),
      comfort: score,
      use: fc.constantFrom("daily", "never"),
    },
    { requiredKeys: [] },
  ),
});

/** One write. Some through the API, the others directly in the database, as by another process. */
const write = fc.oneof(
  fc.record({ do: fc.constant("post" as const), item: product, external: fc.nat(5), bought: fc.boolean(), words }),
  fc.record({ do: fc.constant("put" as const), which, words }),
  fc.record({ do: fc.constant("decide" as const), which, accepted }),
  fc.record({ do: fc.constant("delete" as const), which }),
  fc.record({
    do: fc.constant("vote" as const),
    which,
    type: fc.constantFrom("up", "down", "reset"),
    voter: fc.nat(2),
  }),
  fc.record({ do: fc.constant("reply" as const), which }),
  fc.record({
    do: fc.constant("many at once" as const),
    product,
    family,
    accepted,
    count: fc.integer({ min: 2, max: 9 }),
  }),
  fc.record({ do: fc.constant("ask" as const), product, family, accepted }),
  fc.record({ do: fc.constant("decide question" as const), which, accepted }),
  fc.record({ do: fc.constant("answer" as const), which, accepted, seller: fc.boolean() }),
  fc.record({ do: fc.constant("change answer" as const), which, accepted }),
  fc.record({ do: fc.constant("take answer back" as const), which }),
  fc.record({ do: fc.constant("delete question" as const), which }),
  fc.record({ do: fc.constant("review seller" as const), score, accepted }),
  fc.record({ do: fc.constant("decide seller review" as const), which, score, accepted }),
  fc.record({ do: fc.constant("delete seller review" as const), which }),
  fc.record({ do: fc.constant("move product" as const), product, family }),
  fc.record({ do: fc.constant("group" as const), by_family: fc.boolean() }),
  fc.record({ do: fc.constant("total" as const), product, count: fc.integer({ min: 0, max: 9 }), score }),
);
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;

const state =
  "accepted = $3, accepted_at = case when $3 then now() end, reject_reason = case when $3 = false then 'spam' end";
let serial = 0;

async function apply(shop: TestClient, given: Write): Promise<void> {
  const { key } = shop;
  const sql = (text: string, ...values: unknown[]) => rowsOf(text, [shop.id, ...values]);
  const one = async (table: string, column = "id"): Promise<string | undefined> => {
    if (!("which" in given)) return undefined;
    const rows = await sql(`select ${column} as value from ${table} where client_id = $1 order by id`);
    return rows[given.which % rows.length]?.value;
  };
  const done = ({ status, text }: { status: number; text: string }) =>
    expect([status, text]).toEqual([expect.toSatisfy((s) => s < 300), text]);
  const body = ({ lang, ...more }: Extract<Write, { do: "put" }>["words"]) => ({
    ...more,
    lang,
    extract: `Words ${++serial}.`,
  });
  switch (given.do) {
    case "post": {
      const order = given.bought ? { id: `o${serial}`, customer: { id: "c1", email: "secret@example.org" } } : {};
      const review = {
        ...body(given.words),
        author: "Ada",
        external_id: `e${given.external}`,
        order: { ...order, item: { id: given.item } },
      };
      return done(await call(managedReviews, "POST", "/v1/reviews", { key, body: { review } }));
    }
    case "put": {
      const id = await one("reviews");
      if (id) done(await call(managedReview, "PUT", `/v1/reviews/${id}`, { key, body: { review: body(given.words) } }));
      return;
    }
    case "decide":
      await sql(`update reviews set ${state} where client_id = $1 and id = $2`, await one("reviews"), given.accepted);
      return;
    case "delete": {
      const id = await one("reviews");
      if (id) done(await call(managedReview, "DELETE", `/v1/reviews/${id}`, { key }));
      return;
    }
    case "vote": {
      const token = await one("reviews", "feedback_token");
      const fields = new URLSearchParams({ type: given.type, voter_id: `v${given.voter}` });
      if (token)
        await feedback(new Request(`http://localhost/collect/feedback/${token}`, { method: "POST", body: fields }));
      return;
    }
    case "reply": {
      const id = await one("reviews");
      if (id) await aResponse(shop.id, "review", id);
      return;
    }
    case "many at once":
      await someReviews(
        shop.id,
        Array.from({ length: given.count }, () => ({
          product_id: given.product,
          family_id: given.family,
          accepted: given.accepted,
        })),
      );
      return;
    case "ask":
      await someQuestions(shop.id, [{ product_id: given.product, family_id: given.family, accepted: given.accepted }]);
      return;
    case "decide question":
      await sql(
        `update questions set ${state} where client_id = $1 and id = $2`,
        await one("questions"),
        given.accepted,
      );
      return;
    case "answer": {
      const id = await one("questions");
      if (id)
        await anAnswer(shop.id, id, { accepted: given.accepted, from_seller: given.seller, answer: `So ${++serial}.` });
      return;
    }
    case "change answer":
      await sql(
        `update answers set answer = 'So ${++serial}.', ${state} where client_id = $1 and id = $2`,
        await one("answers"),
        given.accepted,
      );
      return;
    case "take answer back":
      await sql("delete from answers where client_id = $1 and id = $2", await one("answers"));
      return;
    case "delete question":
      await sql("delete from questions where client_id = $1 and id = $2", await one("questions"));
      return;
    case "review seller":
      await someSellerReviews(shop.id, [{ score: given.score, accepted: given.accepted }]);
      return;
    case "decide seller review":
      await sql(
        `update seller_reviews set score = $4, ${state} where client_id = $1 and id = $2`,
        await one("seller_reviews"),
        given.accepted,
        given.score,
      );
      return;
    case "delete seller review":
      await sql("delete from seller_reviews where client_id = $1 and id = $2", await one("seller_reviews"));
      return;
    case "move product":
      await sql(
        "update products set family_id = $3, updated_at = clock_timestamp() where client_id = $1 and id = $2",
        given.product,
        given.family,
      );
      await syncFamilies(shop.id);
      return;
    case "group":
      await sql("update clients set expand_family = $2 where id = $1", given.by_family);
      return;
    case "total":
      await sql(
        `insert into external_totals (client_id, product_id, source, kind, count, score_dist)
         select $1, $2, 'x', 'user', $3, array(select case when n = $4 then $3::int else 0 end from generate_series(1, 5) n)
         on conflict (client_id, product_id, kind, source, locale, country) do update
           set count = excluded.count, score_dist = excluded.score_dist`,
        given.product,
        given.count,
        given.score,
      );
  }
}

/** A browser: stores responses and revalidates them by ETag. */
function browser() {
  const cache = new Map<string, { etag: string; text: string }>();
  return async (endpoint: (request: Request) => Promise<Response>, address: string) => {
    const cached = cache.get(address);
    const headers = cached && { "if-none-match": cached.etag };
    const response = await endpoint(new Request(new URL(address, "http://localhost"), { headers }));
    const text = response.status === 304 ? (cached?.text ?? "") : await response.text();
    expect([200, 304]).toContain(response.status);
    if (response.status === 200) expect(text, "the same again is a 304").not.toBe(cached?.text);
    cache.set(address, { etag: response.headers.get("etag") ?? "", text });
    expect(text).not.toContain("secret@example.org");
    return JSON.parse(text);
  };
}
type Browser = ReturnType<typeof browser>;

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const dist = (rows: { score: number }[]) =>
  [1, 2, 3, 4, 5].map((step) => rows.filter(({ score }) => score === step).length);
const pick = <T extends object, K extends keyof T>(row: T, keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, row[key]]));
const byId = (rows: { id: string }[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Most frequent first, ties alphabetically. */
const named = (points: string[]) =>
  [...new Set(points)].sort(
    (a, b) => points.filter((p) => p === b).length - points.filter((p) => p === a).length || (a < b ? -1 : 1),
  );
const counted = (values: string[]) =>
  named(values).map((value) => ({ value, count: values.filter((each) => each === value).length }));

/** The figures of a summary, calculated from the management API's reviews. */
function figuresOf(reviews: Review[]) {
  const given = (name: string) =>
    reviews.flatMap(({ properties }) => (properties[name] === undefined ? [] : [properties[name]]));
  const fits = given("fit") as string[][];
  const comfort = given("comfort") as number[];
  return {
    your_review_count: reviews.length,
    your_avg_score: average(sum(reviews.map(({ score }) => score)), reviews.length),
    your_score_dist: dist(reviews),
    product_pros: named(reviews.flatMap(({ pros }) => pros)),
    product_cons: named(reviews.flatMap(({ cons }) => cons)),
    your_verified_review_count: reviews.filter(({ verified_buyer }) => verified_buyer).length,
    your_photo_review_count: 0,
    your_review_languages: counted(reviews.flatMap(({ lang }) => (lang === null ? [] : [lang]))).map(
      ({ value, count }) => ({
        lang: value,
        count,
      }),
    ),
    your_review_answers: [
      {
        name: "fit",
        type: "select",
        count: fits.length,
        options: ["small", "right", "large"].map((value) => ({
          value,
          count: fits.flat().filter((v) => v === value).length,
        })),
      },
      { name: "comfort", type: "score", count: comfort.length, avg_score: average(sum(comfort), comfort.length) },
    ],
  };
}

const reviewKeys = [
  "id",
  "type",
  "author",
  "score",
  "score_max",
  "date",
  "extract",
  "pros",
  "cons",
  "lang",
  "verified_buyer",
  "votes_up",
  "votes_down",
  "product",
  "responses",
  "images",
  "properties",
] as const;

/** Requests every display and compares it with the management API. */
async function compare(shop: TestClient, see: Browser): Promise<void> {
  const managed = <R>(module: Parameters<typeof readAll>[0], path: string) =>
    readAll(module, path, { key: shop.key }) as Promise<R[]>;
  const reviews = (await managed<Review>(managedReviews, "/v1/reviews?limit=1000")).filter(({ accepted }) => accepted);
  const questions = (await managed<Question>(managedQuestions, "/v1/questions?limit=1000")).filter(
    ({ accepted, answers }) => accepted && answers.length > 0,
  );
  const sellers = (await managed<SellerReview>(managedSellerReviews, "/v1/seller_reviews?limit=1000")).filter(
    ({ accepted }) => accepted,
  );
  const summaries = await managed<{ id?: string; family_id: string; score: number | null }>(
    managedSummaries,
    "/v1/summaries?limit=1000",
  );
  const familySummaries = await managed<(typeof summaries)[0]>(
    managedSummaries,
    "/v1/summaries?by_family=1&limit=1000",
  );
  const [{ expand_family: expand }] = await rowsOf("select expand_family from clients where id = $1", [shop.id]);
  const at = (file: string, query: string) => `/onpage/${shop.id}/${file}?${query}`;

  const targets = [...products.map((id) => ({ key: id })), ...families.map((id) => ({ url_key: id }))];
  const rated = await see(
    ratingList,
    at("ratings.json", targets.map((one) => String(new URLSearchParams(one))).join("&")),
  );
  for (const [index, one] of targets.entries()) {
    const query = String(new URLSearchParams(one as Record<string, string>));
    const known = "key" in one ? summaries.find(({ id }) => id === one.key) : undefined;
    const ofFamily = "url_key" in one ? one.url_key : expand ? (known?.family_id ?? "") : null;
    const isOf = ({ product_ids, family_ids }: { product_ids: string[]; family_ids: string[] }) =>
      ofFamily === null ? product_ids.includes((one as { key: string }).key) : family_ids.includes(ofFamily);
    const own = reviews.filter(isOf);
    const asks = questions.filter(isOf);
    // The management API has no summaries of families that are no longer in the catalog.
    const listed = ofFamily === null ? known : familySummaries.find(({ family_id }) => family_id === ofFamily);

    const shown = await see(summary, at("reviews.json", query));
    expect(shown).toMatchObject({ ...figuresOf(own), your_question_count: asks.length });
    if (listed) expect(shown.score).toBe(listed.score ?? null);
    expect(rated.ratings[index]).toMatchObject({
      ...one,
      ...pick(shown, ["score", "your_review_count", "your_avg_score", "your_score_dist", "user_review_count"]),
    });

    expect(shown.your_review_url === null).toBe(own.length === 0);
    for (const sort of own.length > 0 ? ["newest", "lowest", "most_helpful"] : []) {
      const list = await see(reviewList, `${pathOf(shown.your_review_url)}&limit=100&sort=${sort}`);
      // The display has further fields, under the names that pages built for a hosted service read.
      expect(byId(list.reviews)).toMatchObject(byId(own.map((review) => pick(review, reviewKeys) as Review)));
      const ranks = list.reviews.map((review: Review) =>
        sort === "newest" ? review.date : sort === "lowest" ? 5 - review.score : review.votes_up - review.votes_down,
      );
      expect(ranks).toEqual(ranks.toSorted((a: number | string, b: number | string) => (a < b ? 1 : a > b ? -1 : 0)));
    }
    const list = await see(questionList, at("questions.json", `${query}&limit=100`));
    expect(byId(list.questions)).toMatchObject(
      byId(asks).map((question) => ({
        ...pick(question as Question, ["id", "author", "date", "question", "details", "lang", "product", "images"]),
        answers: (question as Question).answers.map((answer) => ({ ...answer, from_seller: expect.any(Boolean) })),
      })),
    );
    expect(shown.your_question_url === null).toBe(asks.length === 0);
  }
  const seller = await see(sellerReviewList, at("seller_reviews.json", "limit=100"));
  expect(seller).toMatchObject({
    review_count: sellers.length,
    avg_score: average(sum(sellers.map(({ score }) => score)), sellers.length),
    score_dist: dist(sellers),
  });
  expect(byId(seller.seller_reviews)).toMatchObject(
    byId(sellers).map((review) =>
      pick(review as SellerReview, [
        "id",
        "author",
        "score",
        "score_max",
        "date",
        "extract",
        "lang",
        "verified_buyer",
        "responses",
        "images",
        "properties",
      ]),
    ),
  );
}

async function aShop(): Promise<TestClient> {
  const shop = await aClient({ custom_questions });
  await someProducts(
    shop.id,
    products.map((id, index) => ({ id, family_id: families[index % 2] })),
  );
  const of = { product_id: "p0", family_id: "f0", accepted: true };
  await someReviews(shop.id, [
    { ...of, lang: "en" },
    { ...of, accepted: null },
  ]);
  const [question = ""] = await someQuestions(shop.id, [of, of]);
  await anAnswer(shop.id, question);
  await someSellerReviews(shop.id, [{ accepted: true }, {}]);
  return shop;
}

describe("the display", () => {
  it("agrees with the management API after every write", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 14 }), async (writes) => {
        const shop = await aShop();
        const see = browser();
        await compare(shop, see);
        for (const each of writes) {
          await apply(shop, each);
          await compare(shop, see);
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 240_000);

  it("shows each concurrent writer its latest write, and agrees with the management API at the end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.record({ nth: fc.nat(2), accepted, score }), { minLength: 3, maxLength: 8 }), {
          minLength: 2,
          maxLength: 5,
        }),
        async (writers) => {
          const shop = await aShop();
          const see = browser();
          await Promise.all(
            writers.map(async (writes, writer) => {
              const own = new Map<string, { accepted: boolean | null; extract: string; score: number }>();
              const ids = new Map<string, string>();
              for (const { nth, ...given } of writes) {
                const external_id = `h${writer}-${nth}`;
                const review = { ...given, extract: `Words ${++serial}.` };
                const answer = await call(managedReviews, "POST", "/v1/reviews", {
                  key: shop.key,
                  body: { review: { ...review, external_id, author: "Ada", order: { item: { id: "p0" } } } },
                });
                expect(answer.status).toBeLessThan(300);
                own.set(external_id, review);
                ids.set(answer.json.data.id, external_id);
                // Everyone requests the same URLs all the time, so the cached response is another writer's, and older.
                const response = await reviewList(
                  new Request(`http://localhost/onpage/${shop.id}/reviews/list.json?key=p0&limit=100&sort=highest`),
                );
                const { reviews } = (await response.json()) as { reviews: Review[] };
                const ownReviews = reviews.filter(({ id }) => ids.has(id));
                const expected = [...own].filter(([, { accepted }]) => accepted);
                expect(ownReviews.map(({ id, extract, score }) => [ids.get(id), extract, score]).sort()).toEqual(
                  expected.map(([name, { extract, score }]) => [name, extract, score]).sort(),
                );
                const shown = (await (
                  await summary(new Request(`http://localhost/onpage/${shop.id}/reviews.json?key=p0`))
                ).json()) as { your_review_count: number };
                expect(shown.your_review_count).toBeGreaterThanOrEqual(expected.length);
              }
            }),
          );
          await compare(shop, see);
        },
      ),
      { numRuns: 15, endOnFailure: true },
    );
  }, 240_000);
});
