import { beforeEach, describe, expect, it } from "vitest";
import { POST as feedback } from "@/app/collect/feedback/[token]/route";
import { POST as collect } from "@/app/collect/reviews/route";
import { GET as list } from "@/app/onpage/[client_id]/reviews/list.json/route";
import { GET as summary } from "@/app/onpage/[client_id]/reviews.json/route";
import type { DisplayReviewList, DisplaySummary } from "@/lib/display/schema";
import { pool } from "@/lib/platform/db/pool";
import { get, makeClient, makeProduct, postJson, setAccepted, statusAndFields } from "@/lib/tools/test/collection-rows";
import { emptyDatabase } from "@/lib/tools/test/database";
import { displayPath, readDisplay } from "@/lib/tools/test/display";

let shop = "";
let serial = 0;
const freshShop = async (settings: Record<string, unknown> = {}) => {
  shop = await makeClient(`shown-${++serial}.example`, settings);
};
beforeEach(async () => {
  await emptyDatabase();
  await freshShop();
});

let written = 0;
/** Adds a review through the API; returns its id. */
async function write(more: Record<string, unknown> = {}, accepted: boolean | null = true): Promise<string> {
  const author = `Author ${++written}`;
  const body = {
    client_id: shop,
    api_key: `pk_${shop}`,
    product_id: "p1",
    author,
    author_email: "secret@example.org",
    score: 5,
    content: "Good.",
    ...more,
  };
  expect((await postJson(collect, "/collect/reviews", body)).status).toBe(201);
  const { rows } = await pool().query("select id from reviews where author = $1", [author]);
  if (accepted !== null) await setAccepted(shop, rows[0].id, accepted);
  return rows[0].id;
}
const path = (query: string, file = "reviews.json") => displayPath(shop, file, query);
const summarized = (query = "key=p1"): Promise<DisplaySummary> => readDisplay(path(query));
const listed = (address: string | null): Promise<DisplayReviewList> => readDisplay(address ?? "");

describe("GET /onpage/{client_id}/reviews.json", () => {
  it("is all zeros and nulls for unknown products and those without reviews", async () => {
    const response = await get(summary, path("key=p1"));
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await response.json()).toEqual({
      score: null,
      pro_score_dist_all: [0, 0, 0, 0, 0],
      user_score_dist_all: [0, 0, 0, 0, 0],
      product_pros: [],
      product_cons: [],
      pro_review_count: 0,
      pro_review_url: null,
      pro_review_page_url: null,
      user_review_count: 0,
      user_review_url: null,
      user_review_page_url: null,
      your_review_count: 0,
      your_review_url: null,
      your_avg_score: null,
      your_score_dist: [0, 0, 0, 0, 0],
      your_photo_review_count: 0,
      your_verified_review_count: 0,
      your_review_languages: [],
      your_review_answers: null,
      your_question_count: 0,
      your_question_url: null,
      write_review_url: `http://localhost:3000/reviews/new?client_id=${shop}&key=p1&lang=en`,
      ask_question_url: `http://localhost:3000/questions/new?client_id=${shop}&key=p1&lang=en`,
      feedback_enabled: true,
      videos: [],
    });
  });

  it("counts accepted reviews only, and rounds once", async () => {
    for (const score of [5, 4, 4]) await write({ score, pros: ["Light", "light "], cons: ["Cable"] });
    await write({ score: 1 }, false);
    await write({ score: 1 }, null);
    await write({ score: 1, product_id: "p2" });
    expect(await summarized()).toMatchObject({
      score: 8.67, // 2 × 13 / 3, not 2 × 4.33
      your_review_count: 3,
      your_avg_score: 4.33,
      your_score_dist: [0, 0, 0, 2, 1],
      product_pros: ["Light"],
      product_cons: ["Cable"],
    });
  });

  it("shows the product, or its family if the client groups by family or only a family is requested", async () => {
    await makeProduct(shop, "p1", { family: "f", name: "Lamp & shade" });
    await makeProduct(shop, "p2", { family: "f" });
    for (const product_id of ["p1", "p2", "p2"]) await write({ product_id });
    expect((await summarized("key=p1")).your_review_count).toBe(1);
    expect((await summarized("key=p1&url_key=f")).your_review_count).toBe(1);
    expect((await summarized("url_key=f")).your_review_count).toBe(3);
    expect((await summarized("key=p1")).write_review_url).toBe(
      `http://localhost:3000/reviews/new?client_id=${shop}&key=p1&url_key=f&name=Lamp+%26+shade&lang=en`,
    );
    expect((await summarized("key=p1")).ask_question_url).toBe(
      `http://localhost:3000/questions/new?client_id=${shop}&key=p1&url_key=f&name=Lamp+%26+shade&lang=en`,
    );
    await pool().query("update clients set collect_questions = false where id = $1", [shop]);
    expect((await summarized("key=p1")).ask_question_url).toBeNull();
    await pool().query("update clients set expand_family = true where id = $1", [shop]);
    expect((await summarized("key=p1")).your_review_count).toBe(3);
    expect((await summarized("key=unknown&url_key=f")).your_review_count).toBe(3);
    expect((await summarized("key=unknown")).your_review_count).toBe(0);
    await pool().query("update products set family_id = 'g', updated_at = clock_timestamp() where id = 'p1'");
    expect((await summarized("key=p1")).your_review_count).toBe(0); // updated in the background
  });

  it("includes external totals and answers to custom questions", async () => {
    await freshShop({
      external_user_reviews: true,
      custom_questions: [
        {
          id: "fit",
          type: "select",
          multiple: true,
          required: false,
          categories: [],
          options: [
            { id: "s", label: {} },
            { id: "l", label: {} },
          ],
          label: {},
        },
      ],
    });
    await pool().query(
      "insert into external_totals (client_id, product_id, source, kind, count, score_dist, url) values ($1, 'p1', 'x', 'user', 3, '{0,0,1,1,1}', 'https://x.example')",
      [shop],
    );
    await write({ custom_questions: { fit: ["s", "l"] } });
    await write({ custom_questions: { fit: "s" } });
    await write({ custom_questions: { fit: "l" } }, null);
    expect(await summarized()).toMatchObject({
      score: 8.8, // (10 + 10 + 6 + 8 + 10) / 5
      user_review_count: 3,
      user_review_url: `http://localhost:3000/onpage/${shop}/reviews/external.json?key=p1&kind=user`,
      user_review_page_url: "https://x.example",
      user_score_dist_all: [0, 0, 1, 1, 1],
      your_review_answers: [
        {
          name: "fit",
          type: "select",
          count: 2,
          options: [
            { value: "s", count: 2 },
            { value: "l", count: 1 },
          ],
        },
      ],
    });
  });

  it("changes immediately with external totals, their display settings and their product", async () => {
    await makeProduct(shop, "p1", { family: "f" });
    const sql = (text: string) => pool().query(text, [shop]);
    const shown = async (query = "key=p1") => {
      const { score, user_review_count, user_score_dist_all } = await summarized(query);
      return [score, user_review_count, user_score_dist_all[4]];
    };
    const nothing = [null, 0, 0];
    expect([await shown(), await shown("url_key=f"), await shown("url_key=g")]).toEqual([nothing, nothing, nothing]);
    await sql(
      "insert into external_totals (client_id, product_id, source, kind, locale, count, score_dist) values ($1, 'p1', 'x', 'user', 'sv_SE', 2, '{0,0,0,0,2}'), ($1, 'p2', 'x', 'user', 'sv_SE', 1, '{1,0,0,0,0}')",
    );
    expect([await shown(), await shown("url_key=f")]).toEqual([
      [10, 0, 2],
      [10, 0, 2],
    ]);
    await sql("update clients set external_user_reviews = true where id = $1");
    expect(await shown()).toEqual([10, 2, 2]);
    await sql("update clients set external_review_locale = 'de-DE' where id = $1");
    expect(await shown()).toEqual([10, 0, 2]);
    await sql("update clients set external_review_locale = 'de-DE, sv-se' where id = $1");
    expect(await shown()).toEqual([10, 2, 2]);
    await makeProduct(shop, "p2", { family: "f" });
    expect(await shown("url_key=f")).toEqual([7.33, 3, 2]);
    await sql("update products set family_id = 'g' where client_id = $1 and id = 'p1'");
    expect([await shown("url_key=f"), await shown("url_key=g")]).toEqual([
      [2, 1, 0],
      [10, 2, 2],
    ]);
    await sql("update external_totals set score_dist = '{0,0,0,2,0}' where client_id = $1 and product_id = 'p1'");
    expect(await shown("url_key=g")).toEqual([8, 2, 0]);
    await sql("delete from products where client_id = $1 and id = 'p2'");
    expect(await shown("url_key=f")).toEqual(nothing);
    await sql("delete from external_totals where client_id = $1");
    expect(await shown()).toEqual(nothing);
  });

  it("weights totals by their counts, and distributions by stars", async () => {
    await freshShop({ external_pro_reviews: true });
    for (const score of [3, 4, 5, 5, 5]) await write({ score });
    const total = (kind: string, count: number, dist: string) =>
      pool().query(
        "insert into external_totals (client_id, product_id, source, kind, count, score_dist) values ($1, 'p1', 'x', $2, $3, $4)",
        [shop, kind, count, dist],
      );
    await total("pro", 99, "{1,7,11,56,24}");
    await total("user", 1001, "{57,19,151,473,301}");
    expect(await summarized()).toMatchObject({
      score: 7.89, // (2 × 22 + 784 + 7890) / 1105
      pro_review_count: 99,
      pro_score_dist_all: [1, 7, 11, 56, 24],
      user_review_count: 0,
      user_score_dist_all: [57, 19, 151, 473, 301],
      your_avg_score: 4.4,
    });
    // Reviews without a known score are counted; a sample's scores weigh as all of its total.
    await pool().query("update external_totals set score_dist = '{0,0,0,0,0}' where client_id = $1 and kind = 'user'", [
      shop,
    ]);
    await pool().query(
      "update external_totals set count = 15, score_dist = '{1,0,0,0,0}' where client_id = $1 and kind = 'pro'",
      [shop],
    );
    expect(await summarized()).toMatchObject({ score: 3.7, pro_review_count: 15 }); // (44 + 15 × 2) / 20
  });

  it("changes as soon as a write has returned", async () => {
    const counts = async () => [
      (await summarized()).your_review_count,
      (await listed(path("key=p1", "reviews/list.json"))).reviews.length,
    ];
    for (let n = 1; n <= 5; n++) {
      const id = await write({}, null);
      expect(await counts()).toEqual([n - 1, n - 1]);
      await setAccepted(shop, id, true);
      expect(await counts()).toEqual([n, n]);
    }
    const { rows } = await pool().query("select id from reviews");
    await pool().query("update reviews set extract = 'Reworded.' where id = $1", [rows[0].id]);
    expect((await listed(path("key=p1", "reviews/list.json"))).reviews.map(({ extract }) => extract)).toContain(
      "Reworded.",
    );
    await setAccepted(shop, rows[0].id, false);
    expect(await counts()).toEqual([4, 4]);
    await pool().query("delete from reviews where id = $1", [rows[1].id]);
    expect(await counts()).toEqual([3, 3]);
  });

  it("is never older than a write that returned, with many concurrent reads and writes", async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => write({}, null)));
    let accepted = 0;
    const reader = async () => {
      while (accepted < ids.length) {
        const before = accepted;
        expect((await summarized()).your_review_count).toBeGreaterThanOrEqual(before);
      }
    };
    const writer = async () => {
      for (const id of ids) {
        await setAccepted(shop, id, true);
        accepted += 1;
      }
    };
    await Promise.all([writer(), ...Array.from({ length: 8 }, reader)]);
    expect((await summarized()).your_review_count).toBe(30);
  });

  it("returns 304 for a matching ETag, and a new ETag after a change", async () => {
    await write();
    const first = await get(summary, path("key=p1"));
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers.get("cache-control")).toContain("stale-while-revalidate");
    for (const given of [etag, `"x", W/${etag}`, "*"]) {
      const again = await get(summary, path("key=p1"), { "if-none-match": given });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    expect((await get(summary, path("key=p1"), { "if-none-match": '"other"' })).status).toBe(200);
    await write();
    const changed = await get(summary, path("key=p1"), { "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
  });

  it("is wrapped in a callback if one is given", async () => {
    const response = await get(summary, path("key=p1&callback=shop.show"));
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const script = await response.text();
    expect(JSON.parse(script.slice("/**/shop.show(".length, -2))).toEqual(await summarized());
  });

  it("escapes in a callback what older browsers treat as line breaks", async () => {
    await write({ pros: ["one\u2028two\u2029three"] });
    const script = await (await get(summary, path("key=p1&callback=show"))).text();
    expect(script).not.toMatch(/[\u2028\u2029]/);
    expect(script).toContain("one\\u2028two\\u2029three");
    expect(JSON.parse(script.slice("/**/show(".length, -2))).toEqual(await summarized());
  });

  it.each([
    ["no product", "", ["key"]],
    ["blank products", "key=&url_key=", ["key"]],
    ["a callback that is no name", "key=p1&callback=alert(1)", ["callback"]],
    ["both at once", "callback=alert(1)", ["callback", "key"]],
    ["a long callback", `key=p1&callback=${"a".repeat(129)}`, ["callback"]],
    ["a long key", `key=${"a".repeat(256)}`, ["key"]],
    ["NUL", "key=a%00b", ["key"]],
  ])("%s: 400", async (_, query, fields) => {
    expect(await statusAndFields(await get(summary, path(query)))).toEqual([400, fields]);
    expect(await statusAndFields(await get(list, path(query, "reviews/list.json")))).toEqual([400, fields]);
  });

  it("an unknown client: 404, readable from any origin", async () => {
    for (const endpoint of [summary, list]) {
      const file = endpoint === summary ? "reviews.json" : "reviews/list.json";
      const response = await get(endpoint, `/onpage/nobody.example/${file}?key=p1`);
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([404, "*"]);
    }
  });
});

describe("GET /onpage/{client_id}/reviews/list.json", () => {
  it("shows only what authors publish", async () => {
    const id = await write({
      title: "Bright",
      pros: ["light"],
      recommended: true,
      author_ip: "203.0.113.9",
      product_name: "Lamp",
    });
    const response = await get(list, (await summarized()).your_review_url ?? "");
    const text = await response.text();
    expect(text).not.toMatch(/secret@example\.org|203\.0\.113\.9|portal|accepted/);
    const { rows } = await pool().query("select feedback_token, date, author from reviews where id = $1", [id]);
    expect(JSON.parse(text)).toEqual({
      reviews: [
        {
          id,
          type: "customer",
          author: rows[0].author,
          score: 5,
          score_max: 5,
          date: rows[0].date,
          extract: "Good.",
          pros: ["light"],
          cons: [],
          lang: "en",
          verified_buyer: false,
          votes_up: 0,
          votes_down: 0,
          product: "Lamp",
          responses: [],
          images: [],
          properties: { title: "Bright", recommended: true },
          feedback_url: `http://localhost:3000/collect/feedback/${rows[0].feedback_token}`,
          client_id: shop,
          source: shop,
          domain: shop,
          icon: null,
          link: null,
          question_answers: [],
          original: null,
        },
      ],
      next_page_url: null,
    });
  });

  it("says of a review whose author was offered something that it's so, also once it is known later", async () => {
    const id = await write();
    const marks = async () =>
      (await listed(path("key=p1", "reviews/list.json"))).reviews.map(({ incentivized }) => incentivized);
    expect(await marks()).toEqual([undefined]);
    await pool().query("update reviews set incentivized = true where id = $1", [id]);
    expect(await marks()).toEqual([true]);
  });

  it("pages from the newest to the oldest without gaps, however many share a day or a moment", async () => {
    await pool().query(
      `insert into reviews (client_id, id, source, product_id, score, date, created_at, feedback_token, accepted, accepted_at)
       select $1, 'r' || lpad(n::text, 3, '0'), 'import', 'p1', 4, date '2026-01-01' + n / 20, timestamptz '2026-02-01' + (n / 3) * interval '1 s',
              'f' || n, true, now() from generate_series(1, 57) n`,
      [shop],
    );
    const ids: string[] = [];
    let pages = 0;
    for (
      let next: string | null = path("key=p1&limit=7&callback=", "reviews/list.json").replace("&callback=", "");
      next;
      pages++
    ) {
      const page: DisplayReviewList = await listed(next);
      ids.push(...page.reviews.map(({ id }) => id));
      next = page.next_page_url;
    }
    expect(pages).toBe(9);
    expect(ids).toEqual(Array.from({ length: 57 }, (_, n) => `r${String(57 - n).padStart(3, "0")}`));
    expect((await listed(path("key=p1&limit=500", "reviews/list.json"))).reviews).toHaveLength(57);
    expect((await listed(path("key=p1", "reviews/list.json"))).reviews).toHaveLength(10);
  });

  it("never leaks one caller's extra parameters to the next", async () => {
    for (let n = 0; n < 3; n++) await write();
    const first = await listed(path("key=p1&limit=1&utm=mine&token=sk_x&callback2=y", "reviews/list.json"));
    expect(first.next_page_url).not.toMatch(/utm|token|callback/);
  });

  it.each(["limit=0", "limit=-1", "limit=x", "limit=1.5"])("%s: 400", async (query) => {
    expect(await statusAndFields(await get(list, path(`key=p1&${query}`, "reviews/list.json")))).toEqual([
      400,
      ["limit"],
    ]);
  });

  it("a cursor of another list: 400", async () => {
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const after of [
      "x",
      "",
      "%20",
      forged([]),
      forged(["reviews.created", null, "2026-01-01T00:00:00.000Z", "a"]),
      forged(["display.reviews", null, "2026-13-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", "a"]),
    ]) {
      expect((await get(list, path(`key=p1&after=${after}`, "reviews/list.json"))).status, after).toBe(400);
    }
  });
});

describe("a vote", () => {
  const fit = { id: "fit", name: "fit", type: "select", multiple: false, required: false, categories: [], label: {} };
  const asking = { custom_questions: [{ ...fit, options: [{ id: "small", label: {} }] }] };
  const vote = async (id: string, type = "up") => {
    const { rows } = await pool().query("select feedback_token from reviews where id = $1", [id]);
    const sent = { method: "POST", body: new URLSearchParams({ type, voter_id: "v" }) };
    expect(
      (await feedback(new Request(`http://localhost/collect/feedback/${rows[0].feedback_token}`, sent))).status,
    ).toBe(204);
  };
  it("appears in the list immediately, and doesn't rebuild a summary", async () => {
    await freshShop({ ...asking, expand_family: true });
    await makeProduct(shop, "p1", { family: "f1" });
    const id = await write({ custom_questions: { fit: "small" } });
    for (const query of ["key=p1", "url_key=f1"]) {
      const before = await get(summary, path(query));
      const { your_review_url, your_review_answers } = (await before.json()) as DisplaySummary;
      expect(your_review_answers).toEqual([
        { name: "fit", type: "select", count: 1, options: [{ value: "small", count: 1 }] },
      ]);
      const votes = (await listed(your_review_url)).reviews[0]?.votes_up ?? 0;
      // Wrong on purpose: shows if the counts are read again.
      await pool().query("update review_facets set count = 7");
      await vote(id, votes === 0 ? "up" : "reset");
      expect((await listed(your_review_url)).reviews[0]).toMatchObject({ votes_up: votes === 0 ? 1 : 0 });
      const after = await get(summary, path(query), { "if-none-match": before.headers.get("etag") ?? "" });
      expect(after.status).toBe(304);
      await pool().query("update review_facets set count = 1");
    }
    // Confirms that the check works: the next review does read the counts again.
    await pool().query("update review_facets set count = 7");
    await write();
    expect((await summarized()).your_review_answers).toMatchObject([{ count: 7 }]);
  });

  it("doesn't change a summary's version; anything shown does", async () => {
    await freshShop(asking);
    const id = await write({ product_site_id: "f1" });
    const versions = async () => {
      const { rows } = await pool().query(
        `select p.version, p.figures_version as figures, f.figures_version as family from product_summaries p
           join family_summaries f on f.client_id = p.client_id where p.client_id = $1 and f.family_id = 'f1'`,
        [shop],
      );
      return rows[0];
    };
    for (const [change, figures] of [
      ["votes_up = votes_up + 1", 0],
      ["extract = 'Other words.'", 0],
      [`responses = '[{"a": 1}]'`, 0],
      ["score = 3", 1],
      ["pros = '{light}'", 1],
      ["cons = '{cable}'", 1],
      [`answers = '{"fit": "small"}'`, 1],
      ["date = date - 1", 1],
      ["accepted = null, accepted_at = null", 1],
      ["accepted = true, accepted_at = now()", 1],
    ] as const) {
      const before = await versions();
      await pool().query(`update reviews set ${change} where id = $1`, [id]);
      const after = await versions();
      const moved = [after.version - before.version, after.figures - before.figures, after.family - before.family];
      expect([change, moved]).toEqual([change, [1, figures, figures]]);
    }
  });
});
