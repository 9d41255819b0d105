import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import * as oldQuestions from "@/app/api/questions/route";
import * as oldReviews from "@/app/api/reviews/route";
import * as badge from "@/app/badge/[client_id]/reviews.json/route";
import * as questions from "@/app/onpage/[client_id]/questions.json/route";
import * as external from "@/app/onpage/[client_id]/reviews/external.json/route";
import * as list from "@/app/onpage/[client_id]/reviews/list.json/route";
import * as summary from "@/app/onpage/[client_id]/reviews.json/route";
import * as score from "@/app/onpage/[client_id]/score.json/route";
import * as sellerReviews from "@/app/onpage/[client_id]/seller_reviews.json/route";
import * as oldSellerReviews from "@/app/seller_reviews.json/route";
import { leftToSkip, type ReviewCursor, selectReviewPage } from "@/lib/display/review-list-sql";
import { type DisplaySummary, MAX_OFFSET, reviewSorts } from "@/lib/display/schema";
import { pool } from "@/lib/platform/db/pool";
import { cutPage } from "@/lib/platform/http/cursor";
import { call } from "@/lib/tools/test/call";
import { statusAndFields } from "@/lib/tools/test/collection-rows";
import { displayPath, type ListMember, readDisplay, walkDisplay } from "@/lib/tools/test/display";
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

// Sites made for a hosted service with this interface: their parameters, members and addresses.

let shop: TestClient;
beforeEach(async () => {
  shop = await aClient();
});
const at = (file: string, query?: string) => displayPath(shop.id, file, query);

type Row = { id: string };
/** All rows of a list, by increasing `offset` until a page is empty. */
async function walkByOffset(address: string, step: number, member: ListMember) {
  const ids: string[] = [];
  for (let offset = 0; ; offset += step) {
    const rows = (await readDisplay(`${address}&limit=${step}&offset=${offset}`))[member];
    if (rows.length === 0) return ids;
    ids.push(...rows.map(({ id }: Row) => id));
  }
}

const day = (n: number) => `2026-01-${10 + Math.floor(n / 3)}`;
const manyReviews = (more: object = {}) =>
  someReviews(
    shop.id,
    Array.from({ length: 23 }, (_, n) => ({
      accepted: true,
      score: 1 + (n % 5),
      date: day(n),
      lang: n % 4 === 0 ? "sv" : "en",
      votes_up: n % 3,
      ...more,
    })),
  );
async function manyQuestions() {
  const ids = await someQuestions(
    shop.id,
    Array.from({ length: 23 }, (_, n) => ({ accepted: true, date: day(n) })),
  );
  for (const id of ids) await anAnswer(shop.id, id);
  return ids;
}

describe("parameters of lists", () => {
  it("name the orders differently, and an unknown order is the default", async () => {
    await manyReviews();
    const sorted = (sort: string) => walkDisplay(at("reviews/list.json", `key=sku-1&limit=4&sort=${sort}`), "reviews");
    expect(await sorted("date")).toEqual(await sorted("newest"));
    expect(await sorted("score")).toEqual(await sorted("highest"));
    expect(await sorted("votes")).toEqual(await sorted("most_helpful"));
    expect(await sorted("score")).not.toEqual(await sorted("date"));
    for (const sort of ["best", "", "constructor", "-date", "newest%20"])
      expect(await sorted(sort)).toEqual(await sorted("newest"));
  });

  it("score_dist is score, and has no invalid values", async () => {
    await manyReviews();
    const scores = async (query: string) => {
      const { reviews } = await readDisplay(at("reviews/list.json", `key=sku-1&limit=100&${query}`));
      return [...new Set(reviews.map((review: { score: number }) => review.score))].sort();
    };
    expect(await scores("score_dist=4")).toEqual([4]);
    expect(await scores("score_dist=5,1,9")).toEqual([1, 5]);
    expect(await scores("score_dist=0")).toEqual([1, 2, 3, 4, 5]);
    expect(await scores("score_dist=all")).toEqual([1, 2, 3, 4, 5]);
    expect(await scores("score_dist=4&score=2")).toEqual([2]);
    for (const own of ["score=9", "limit=0", "limit=x", "with_photos=maybe"]) {
      const answer = await call(list, "GET", at("reviews/list.json", `key=sku-1&${own}`));
      expect([answer.status, answer.json.errors[0].field]).toEqual([400, own.split("=")[0]]);
    }
  });

  it("offset skips rows of every order and filter, without gaps", async () => {
    await manyReviews();
    for (const sort of reviewSorts)
      for (const filter of ["", "&score=4,5", "&lang=sv", "&verified=0", "&lang=en&score_dist=2,3"]) {
        const address = at("reviews/list.json", `key=sku-1&sort=${sort}${filter}`);
        expect([sort, filter, await walkByOffset(address, 3, "reviews")]).toEqual([
          sort,
          filter,
          await walkDisplay(address, "reviews"),
        ]);
        expect(await walkDisplay(`${address}&limit=4&offset=3`, "reviews")).toEqual(
          (await walkDisplay(address, "reviews")).slice(3),
        );
      }
    const address = at("reviews/list.json", "key=sku-1");
    for (const offset of ["-5", "x", "", "1.5", "+0"])
      expect((await readDisplay(`${address}&offset=${offset}`)).reviews).toHaveLength(10);
    for (const offset of [MAX_OFFSET, MAX_OFFSET + 1, "9".repeat(400)])
      expect(await readDisplay(`${address}&offset=${offset}`)).toEqual({ reviews: [], next_page_url: null });
  });

  it("offset skips matching rows only, also where a page's scan ends before that many are found", async () => {
    await manyReviews();
    const subject = { kind: "product", id: "sku-1" } as const;
    for (const sort of reviewSorts)
      for (const offset of [1, 3, 6, 9]) {
        const found: string[] = [];
        let left = offset;
        for (let place: ReviewCursor | null = null, more = true; more; ) {
          const filter = { sort, score: undefined, lang: "sv", limit: 2, offset: left };
          const rows = await selectReviewPage(pool(), shop.id, subject, filter, place, 5);
          const { shown, last } = cutPage(rows, 2, { hit: ({ hit }) => hit, edge: ({ edge }) => edge });
          found.push(...shown.map(({ id }) => id));
          if (last) {
            place = { rank: last.rank, date: last.date, createdAt: last.created_at.toISOString(), id: last.id };
            left = leftToSkip(left, last);
          }
          more = last !== undefined;
        }
        const all = await walkDisplay(at("reviews/list.json", `key=sku-1&lang=sv&sort=${sort}`), "reviews");
        expect(await walkDisplay(at("reviews/list.json", `key=sku-1&lang=sv_SE&sort=${sort}`), "reviews")).toEqual(all);
        expect([sort, offset, found]).toEqual([sort, offset, all.slice(offset)]);
      }
  });

  it("questions: offset, and what is ignored", async () => {
    const created = await manyQuestions();
    const address = at("questions.json", "key=sku-1");
    const all = await walkDisplay(address, "questions");
    expect(all.toSorted()).toEqual(created.toSorted());
    expect(await walkByOffset(address, 4, "questions")).toEqual(all);
    expect(await walkDisplay(`${address}&limit=5&offset=4`, "questions")).toEqual(all.slice(4));
    expect(await walkDisplay(`${address}&sort=votes&lang=sv&vlang=de`, "questions")).toEqual(all);
    expect(await readDisplay(`${address}&offset=${MAX_OFFSET + 1}`)).toEqual({ questions: [], next_page_url: null });
  });
});

describe("a summary", () => {
  it("passes limit and language on to its lists", async () => {
    await manyReviews();
    await manyQuestions();
    const shown = async (query: string) =>
      (await readDisplay(at("reviews.json", `key=sku-1&${query}`))) as DisplaySummary;
    const query = (url: string | null) => new URL(url ?? "").search;
    const given = await shown("limit=3&lang=sv_SE");
    expect(query(given.your_review_url)).toBe("?key=sku-1&limit=3&lang=sv_SE");
    expect(query(given.your_question_url)).toBe("?key=sku-1&limit=3");
    expect(query((await shown("limit=999&lang=%3F")).your_review_url)).toBe("?key=sku-1&limit=100");
    expect(query((await shown("limit=0")).your_review_url)).toBe("?key=sku-1&limit=1");
    expect(query((await shown("limit=many")).your_review_url)).toBe("?key=sku-1");
    expect(await walkDisplay(given.your_review_url ?? "", "reviews")).toHaveLength(6);
    // A list of a language that no review has would be empty.
    expect(query((await shown("lang=xx")).your_review_url)).toBe("?key=sku-1");
    expect(query((await shown("")).your_review_url)).toBe("?key=sku-1");
    await rowsOf("update reviews set lang = 'sv-SE' where client_id = $1 and lang = 'sv'", [shop.id]);
    expect(await walkDisplay((await shown("lang=sv")).your_review_url ?? "", "reviews")).toHaveLength(6);
  });

  it("links to the reviews of a language, of its region if there are any", async () => {
    const walked = async (lang: string, ...languages: string[]) => {
      await rowsOf("delete from reviews where client_id = $1", [shop.id]);
      const ids = await someReviews(
        shop.id,
        languages.map((lang) => ({ accepted: true, lang })),
      );
      const { your_review_url } = (await readDisplay(at("reviews.json", `key=sku-1&lang=${lang}`))) as DisplaySummary;
      const found = await walkDisplay(your_review_url ?? "", "reviews");
      return found.map((id) => languages[ids.indexOf(id)]).sort();
    };
    expect(await walked("sv_SE", "sv-SE", "sv-FI", "sv-FI")).toEqual(["sv-SE"]);
    expect(await walked("sv_SE", "sv", "sv-SE", "sv-FI", "en")).toEqual(["sv", "sv-SE"]);
    expect(await walked("sv_SE", "sv_SE", "sv", "sv-SE", "en")).toEqual(["sv", "sv-SE", "sv_SE"]);
    expect(await walked("sv_SE.UTF-8", "sv", "en")).toEqual(["sv"]);
    expect(await walked("sv_SE", "sv-FI", "en")).toEqual(["sv-FI"]);
    expect(await walked("pt-BR", "pt", "pt-BR", "pt-PT")).toEqual(["pt-BR"]);
    expect(await walked("pt-BR", "pt", "en")).toEqual(["en", "pt"]);
  });

  it("has what older sites read, and no list where nothing is to read", async () => {
    expect(await readDisplay(at("reviews.json", "key=sku-1"))).toMatchObject({
      your_review_url: null,
      your_question_url: null,
      pro_review_url: null,
      user_review_url: null,
      feedback_enabled: true,
      videos: [],
    });
  });

  it("shows the first of several ids with reviews, else the first in the catalog", async () => {
    await someProducts(shop.id, [{ id: "known", family_id: "unread" }]);
    await someReviews(shop.id, [
      { accepted: true, product_id: "b", family_id: "f" },
      { accepted: true, product_id: "c", family_id: "f" },
    ]);
    const of = async (query: string) => {
      const { your_review_count, your_review_url, write_review_url } = await readDisplay(at("reviews.json", query));
      const about = new URL(your_review_url ?? write_review_url).searchParams;
      return [your_review_count, about.get("key"), about.get("url_key")];
    };
    expect(await of("keys[]=a&keys[]=b&keys[]=c")).toEqual([1, "b", null]);
    expect(await of("key=c&keys%5B%5D=b")).toEqual([1, "c", null]);
    expect(await of("keys[]=a&url_keys[]=g&url_keys[]=f")).toEqual([2, null, "f"]);
    expect(await of("url_keys[]=f")).toEqual([2, null, "f"]);
    expect(await of("keys[]=a&keys[]=known")).toEqual([0, "known", "unread"]);
    expect(await of("keys[]=a&keys[]=aa")).toEqual([0, "a", null]);
    expect(await of("keys[]=a&keys[]=b&url_key=f")).toEqual([1, "b", "f"]);
    await rowsOf("update reviews set accepted = null, accepted_at = null where client_id = $1 and product_id = 'b'", [
      shop.id,
    ]);
    expect(await of("keys[]=b&keys[]=c")).toEqual([1, "c", null]);
    await rowsOf("update reviews set accepted = true, accepted_at = now() where client_id = $1", [shop.id]);
    expect(await of(`keys[]=&keys[]=${"x".repeat(256)}&keys[]=b`)).toEqual([1, "b", null]);
    expect(await of([...Array(200)].map((_, n) => `keys[]=k${n}`).join("&"))).toEqual([0, "k0", null]);
  });

  it("names the lists of the id that is shown now", async () => {
    await someReviews(shop.id, [{ accepted: true, product_id: "x", family_id: "f" }]);
    const about = async () => {
      const { your_review_url } = await readDisplay(at("reviews.json", "keys[]=a&keys[]=b&url_key=f"));
      return new URL(your_review_url).searchParams.get("key");
    };
    expect(await about()).toBe("a");
    await someProducts(shop.id, [{ id: "a", family_id: "other" }]);
    expect(await about()).toBe("b");
  });

  it("counts the family beside an unknown product, with its lists", async () => {
    await someProducts(shop.id, [{ id: "known", family_id: "f" }]);
    const ids = await someReviews(shop.id, [
      { accepted: true, product_id: "b", family_id: "f" },
      { accepted: true, product_id: "c", family_id: "f" },
    ]);
    const { your_review_count, your_review_url } = await readDisplay(at("reviews.json", "key=unknown&url_key=f"));
    expect(your_review_count).toBe(2);
    expect((await walkDisplay(your_review_url, "reviews")).toSorted()).toEqual(ids.toSorted());
    expect((await readDisplay(at("reviews.json", "key=known&url_key=f"))).your_review_count).toBe(0);
    expect((await readDisplay(at("reviews.json", "key=b&url_key=f"))).your_review_count).toBe(1);
    expect((await readDisplay(at("reviews.json", "key=unknown&url_key=g"))).your_review_count).toBe(0);
    // As soon as the product is known, its own reviews count.
    await someProducts(shop.id, [{ id: "unknown", family_id: "f" }]);
    expect((await readDisplay(at("reviews.json", "key=unknown&url_key=f"))).your_review_count).toBe(0);
  });

  it("links to lists of external reviews here, which are empty", async () => {
    await rowsOf("update clients set external_user_reviews = true, external_pro_reviews = true where id = $1", [
      shop.id,
    ]);
    for (const kind of ["pro", "user"])
      await rowsOf(
        "insert into external_totals (client_id, product_id, source, kind, count, score_dist, url) values ($1, 'sku-1', 'x', $2, 3, '{0,0,1,1,1}', 'https://x.example')",
        [shop.id, kind],
      );
    const shown = (await readDisplay(at("reviews.json", "key=sku-1"))) as DisplaySummary;
    for (const url of [shown.pro_review_url, shown.user_review_url]) {
      expect(url).toMatch(/^http:\/\/localhost:3000\/onpage\//);
      expect(await readDisplay(url ?? "")).toEqual({ reviews: [], next_page_url: null });
    }
    expect([shown.pro_review_page_url, shown.user_review_page_url]).toEqual(["https://x.example", "https://x.example"]);
    expect((await call(external, "GET", "/onpage/nobody/reviews/external.json?key=a&kind=user")).status).toBe(404);
    expect(
      await statusAndFields(await external.GET(new Request(`http://localhost${at("reviews/external.json")}`))),
    ).toEqual([400, ["key", "kind"]]);
  });
});

describe("a listed review", () => {
  it("names its store, its answers in the questions' order, and replies in both ways", async () => {
    const named = await aClient({
      display_name: "Lamp Shop",
      custom_questions: [
        { id: "q1", name: "fit", type: "select", multiple: true, options: [{ id: "s" }, { id: "l" }], label: {} },
        { id: "light", type: "score", label: {} },
        { id: "use", type: "text", label: {} },
        { id: "never", type: "text", label: {} },
      ].map((question) => ({ ...question, options: question.options?.map((option) => ({ ...option, label: {} })) })),
    });
    Object.assign(shop, named);
    const [id = ""] = await someReviews(shop.id, [
      { accepted: true, answers: { use: "Reading", fit: ["s", "l"], light: 4 }, title: "Fine" },
    ]);
    await aResponse(shop.id, "review", id);
    const { reviews } = await readDisplay(at("reviews/list.json", "key=sku-1"));
    expect(reviews).toMatchObject([
      {
        type: "customer",
        client_id: shop.id,
        source: "Lamp Shop",
        domain: null,
        icon: null,
        link: null,
        original: null,
        question_answers: [
          { name: "fit", type: "select", options: ["s", "l"] },
          { name: "light", type: "score", options: ["4"] },
          { name: "use", type: "text", options: ["Reading"] },
        ],
        responses: [
          { author: "Shop", name: "Shop", extract: "Thank you.", response: "Thank you.", icon: null, images: [] },
        ],
      },
    ]);
    await rowsOf("update clients set display_name = 'Lamps' where id = $1", [shop.id]);
    expect((await readDisplay(at("reviews/list.json", "key=sku-1"))).reviews[0].source).toBe("Lamps");
  });

  it("names the store on every page", async () => {
    await manyReviews();
    for (const query of ["", "&offset=4", "&lang=sv", "&lang=sv&offset=1"]) {
      const { reviews } = await readDisplay(at("reviews/list.json", `key=sku-1&limit=3${query}`));
      expect(new Set(reviews.map(({ source }: { source: string }) => source))).toEqual(
        new Set([shop.client.display_name]),
      );
    }
  });
});

describe("addresses of older sites", () => {
  it("/badge/{client}/reviews.json is the summary", async () => {
    await manyReviews();
    expect(await readDisplay(`/badge/${shop.id}/reviews.json?key=sku-1&limit=3`)).toEqual(
      await readDisplay(at("reviews.json", "key=sku-1&limit=3")),
    );
    expect((await call(badge, "GET", "/badge/nobody/reviews.json?key=a")).status).toBe(404);
  });

  it("/onpage/{client}/score.json lists ratings of all ids", async () => {
    await manyReviews();
    const { ratings } = await readDisplay(at("score.json", "keys[]=sku-1&keys[]=other&url_keys[]=sku-1"));
    expect(ratings).toMatchObject([
      { key: "sku-1", your_review_count: 23 },
      { key: "other", your_review_count: 0, your_avg_score: null },
      { key: null, url_key: "sku-1", your_review_count: 23 },
    ]);
    expect((await readDisplay(at("score.json", "key=sku-1"))).ratings).toEqual([ratings[0]]);
    const many = [...Array(300)].map((_, n) => `keys[]=k${n}`).join("&");
    expect((await readDisplay(at("score.json", many))).ratings).toHaveLength(200);
    for (const none of ["", "keys[]=", `keys[]=${"x".repeat(256)}`])
      expect((await readDisplay(at("score.json", none))).ratings, none).toEqual([]);
    expect((await call(score, "GET", "/onpage/nobody/score.json")).status).toBe(404);
  });

  it("/seller_reviews.json lists a client's seller reviews, whatever its parameters", async () => {
    const ids = await someSellerReviews(
      shop.id,
      Array.from({ length: 23 }, (_, n) => ({ accepted: true, score: 1 + (n % 5), date: day(n) })),
    );
    const address = `/seller_reviews.json?client_id=${shop.id}`;
    const all = await walkDisplay(address, "seller_reviews");
    expect(all.toSorted()).toEqual(ids.toSorted());
    expect(await walkByOffset(address, 4, "seller_reviews")).toEqual(all);
    expect(await walkDisplay(`${address}&limit=0&min=0&max=9&offset=-1`, "seller_reviews")).toEqual(all);
    expect(await walkDisplay(`${address}&min=4&max=1`, "seller_reviews")).toEqual([]);
    expect(await walkDisplay(`${address}&min=4&limit=2`, "seller_reviews")).toHaveLength(8);
    expect(await readDisplay(`${address}&offset=99999999`)).toMatchObject({ review_count: 23, seller_reviews: [] });
    const script = await call(oldSellerReviews, "GET", `${address}&callback=${"a".repeat(128)}`);
    expect([script.status, script.text.slice(0, 136)]).toEqual([200, `/**/${"a".repeat(128)}({"a`]);
    expect((await call(oldSellerReviews, "GET", "/seller_reviews.json?client_id=nobody")).status).toBe(404);
    // Our own address refuses what it refused before.
    for (const own of ["limit=0", "offset=-1", "min=0", "min=4&max=1"])
      expect((await call(sellerReviews, "GET", at("seller_reviews.json", own))).status).toBe(400);
  });

  it("POST /api/reviews and /api/questions submit as /collect does", async () => {
    const body = { client_id: shop.id, api_key: shop.publicKey, product_id: "sku-1", author: "Ada" };
    const review = await call(oldReviews, "POST", "/api/reviews", { body: { ...body, score: 5 } });
    expect([review.status, review.json.score]).toEqual([201, 5]);
    const asked = { ...body, question: "Which?", mail_answer: "false" };
    expect((await call(oldQuestions, "POST", "/api/questions", { body: asked })).status).toBe(201);
    expect(await rowsOf("select product_id from reviews where client_id = $1", [shop.id])).toHaveLength(1);
    expect(await rowsOf("select product_id from questions where client_id = $1", [shop.id])).toHaveLength(1);
    const wrong = await call(oldReviews, "POST", "/api/reviews", { body: { ...body, score: 9, api_key: "x" } });
    expect(wrong.status).toBe(403);
    expect((await call(oldReviews, "OPTIONS", "/api/reviews")).headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("a program that follows a summary's URLs", () => {
  it("gets all reviews and questions once", async () => {
    const created = await manyReviews();
    const asked = await manyQuestions();
    for (const start of [at("reviews.json", "key=sku-1&limit=5"), `/badge/${shop.id}/reviews.json?url_key=sku-1`]) {
      const shown = (await readDisplay(start)) as DisplaySummary;
      const reviews = await walkDisplay(shown.your_review_url ?? "", "reviews");
      expect([reviews.length, reviews.toSorted()]).toEqual([shown.your_review_count, created.toSorted()]);
      const questioned = await walkDisplay(shown.your_question_url ?? "", "questions");
      expect([questioned.length, questioned.toSorted()]).toEqual([shown.your_question_count, asked.toSorted()]);
    }
  });
});

describe("any value of an older parameter", () => {
  const value = fc.oneof(
    fc.constantFrom(
      "",
      "0",
      "-1",
      "1e9",
      "99999999999999999999",
      "date",
      "score",
      "4,5",
      "5,,9",
      "null",
      "sv_SE",
      "true",
      "[]",
    ),
    fc.integer().map(String),
    fc.string({ unit: "binary" }),
  );
  const named = (names: string[]) =>
    fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 }).map((pairs) =>
      pairs
        // NUL is refused everywhere; no program sends it.
        .map(([name, given]) => [name, given.replaceAll("\0", "")].map(encodeLoosely).join("="))
        .join("&"),
    );
  // Lone surrogates can't be in a URL.
  const encodeLoosely = (text: string) => encodeURIComponent(text.toWellFormed());
  it.each([
    [
      "reviews.json",
      summary,
      () => at("reviews.json", "key=sku-1"),
      ["keys[]", "url_keys[]", "limit", "lang", "vlang"],
    ],
    [
      "badge",
      badge,
      () => `/badge/${shop.id}/reviews.json?key=sku-1`,
      ["keys[]", "url_keys[]", "limit", "lang", "sort"],
    ],
    ["list.json", list, () => at("reviews/list.json", "key=sku-1"), ["sort", "score_dist", "offset", "vlang"]],
    ["questions.json", questions, () => at("questions.json", "key=sku-1"), ["sort", "offset", "lang", "vlang"]],
    ["score.json", score, () => at("score.json", "key=sku-1"), ["keys[]", "url_keys[]", "key", "url_key", "lang"]],
    [
      "seller_reviews.json",
      oldSellerReviews,
      () => `/seller_reviews.json?client_id=${shop.id}`,
      ["limit", "offset", "min", "max", "lang", "sort"],
    ],
  ] as const)("%s answers 200", async (_, methods, address, names) => {
    await manyReviews();
    await manyQuestions();
    await fc.assert(
      fc.asyncProperty(named([...names]), async (query) => {
        const answer = await call(methods, "GET", `${address()}&${query}`);
        expect([query, answer.status]).toEqual([query, 200]);
      }),
      { numRuns: 60 },
    );
  });
});
