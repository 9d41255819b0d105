import { describe, expect, it } from "vitest";
import { countLibraryRows, listLibrary, listLibraryIds, scopeOf } from "@/lib/moderation/library/list-library";
import { type LibraryFilter, readLibraryFilter } from "@/lib/moderation/library/values";
import { pool } from "@/lib/platform/db/pool";
import { encodeCursor } from "@/lib/platform/http/cursor";
import { indexWords, listTextsToIndex } from "@/lib/reviews/words/index-words";
import {
  aClient,
  anAnswer,
  anOrder,
  aResponse,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
} from "@/lib/tools/test/factories";
import { captureStatement, totalQueryCost } from "@/lib/tools/test/query-cost";
import { countLibrary, selectLibraryKeys } from "./sql";

type Shop = { id: string };
const admin = { id: "usr_admin", role: "admin" } as const;
const viewer = { id: "usr_viewer", role: "viewer" } as const;

const filterOf = (query: string): LibraryFilter => {
  const search = new URLSearchParams(query);
  return readLibraryFilter((name) => search.get(name));
};

/** The ids of all pages of a filter, and their number as counted. */
async function listed(
  client: Shop,
  query = "",
  actor: { id: string; role: "admin" | "viewer" } = admin,
): Promise<string[]> {
  const scope = await scopeOf(actor, client, filterOf(query));
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await listLibrary(actor, client, scope, after);
    ids.push(...page.items.map(({ id }) => id));
    after = page.next ?? undefined;
  } while (after);
  expect(await countLibraryRows(client, scope)).toEqual({ count: ids.length, capped: false });
  return ids;
}

async function storeWords({ id }: Shop): Promise<void> {
  for (const one of await listTextsToIndex([id])) await indexWords(one);
}

/** Reviews `r0001` and so on, by their score of one to five. */
const byScore = (a: string, b: string): number => (Number(a.slice(1)) % 5) - (Number(b.slice(1)) % 5);

describe("the list of all reviews", () => {
  it("has reviews in every status by their date, newest first, or in another order", async () => {
    const client = await aClient();
    const [a, b, c] = await someReviews(client.id, [
      { date: "2026-01-01", score: 2, accepted: true },
      { date: "2026-03-01", score: 5, accepted: false },
      { date: "2026-02-01", score: 2 },
    ]);
    expect(await listed(client)).toEqual([b, c, a]);
    expect(await listed(client, "sort=oldest")).toEqual([a, c, b]);
    expect(await listed(client, "sort=highest")).toEqual([b, c, a]);
    expect(await listed(client, "sort=lowest")).toEqual([c, a, b]);
  });

  it("pages through every order without gaps or repeats", async () => {
    const client = await aClient();
    const ids = await someReviews(
      client.id,
      Array.from({ length: 120 }, (_, n) => ({ date: `2026-01-${String(10 + (n % 3))}`, score: 1 + (n % 5) })),
    );
    for (const sort of ["newest", "oldest", "highest", "lowest"]) {
      const found = await listed(client, `sort=${sort}`);
      expect([found.length, new Set(found)]).toEqual([120, new Set(ids)]);
      // With a first and a last day: 80 reviews are of these two, from the second page on too.
      const days = ids.filter((_, n) => n % 3 > 0);
      const withinDays = await listed(client, `sort=${sort}&from=2026-01-11&to=2026-01-12`);
      expect(withinDays).toEqual(found.filter((id) => days.includes(id)));
    }
    const scope = await scopeOf(admin, client, filterOf("sort=lowest"));
    const all: string[] = [];
    for await (const page of listLibraryIds(client, scope)) all.push(...page);
    expect(all).toEqual(await listed(client, "sort=lowest"));
  });

  it("has reviews with a changed score in the order of the list", async () => {
    const client = await aClient();
    const ids = await someReviews(
      client.id,
      Array.from({ length: 120 }, (_, n) => ({ date: `2026-01-${String(10 + (n % 3))}`, score: 2 + (n % 4) })),
    );
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, texts)
       select $1, 'review', unnest($2::text[]), 'author', 'edited', '{"score": 1}'`,
      [client.id, ids],
    );
    for (const sort of ["newest", "oldest", "highest", "lowest"])
      expect([sort, await listed(client, `sort=${sort}&score_change=up`)]).toEqual([
        sort,
        await listed(client, `sort=${sort}`),
      ]);
  });

  it("pages through what a search found in every order", async () => {
    const client = await aClient();
    const ids = await someReviews(
      client.id,
      Array.from({ length: 120 }, (_, n) => ({
        score: 1 + (n % 5),
        extract: "Warm light",
        date: `2026-01-${10 + (n % 3)}`,
      })),
    );
    await storeWords(client);
    const scores = new Map(
      (await rowsOf("select id, score from reviews where client_id = $1", [client.id])).map((row) => [
        row.id,
        row.score,
      ]),
    );
    for (const [sort, direction] of [
      ["highest", -1],
      ["lowest", 1],
    ] as const) {
      const found = await listed(client, `q=warm&sort=${sort}`);
      expect(new Set(found)).toEqual(new Set(ids));
      const order = found.map((id) => scores.get(id));
      expect(order).toEqual(order.toSorted((a, b) => direction * (a - b)));
      expect((await listed(client, `q=warm&stars=24&sort=${sort}`)).length).toBe(48);
    }
    expect(await listed(client, "q=warm&sort=oldest")).toEqual((await listed(client, "q=warm")).toReversed());
  });

  it("filters by each of its filters, and by several together", async () => {
    const client = await aClient();
    await someProducts(client.id, [
      { id: "p1", family_id: "f1", brand: "Nordlys" },
      { id: "p2", brand: "Other" },
    ]);
    const photo = JSON.stringify([
      {
        token: "t",
        key: "k",
        format: "jpeg",
        width: 1,
        height: 1,
        sizes: { icon: [1, 1], medium: [1, 1], large: [1, 1] },
      },
    ]);
    const [plain, other, replied] = await someReviews(client.id, [
      { product_id: "p1", family_id: "f1", score: 1, date: "2026-08-10", lang: "en", source: "web", accepted: true },
      {
        product_id: "p2",
        family_id: "p2",
        score: 3,
        date: "2026-08-20",
        lang: "sv",
        source: "api",
        verified_buyer: true,
      },
      {
        ...{ product_id: "p1", family_id: "f1", score: 1, date: "2026-09-01", lang: "en", source: "invitation" },
        ...{ accepted: false, reject_reason: "spam", images: photo },
      },
    ]);
    await aResponse(client.id, "review", replied!);
    const expected: Record<string, (string | undefined)[]> = {
      "stars=1": [replied, plain],
      "stars=35": [other],
      "product=f1": [replied, plain],
      "product=p2": [other],
      "brand=nordlys": [replied, plain],
      "brand=none": [],
      "lang=sv": [other],
      "source=invitation": [replied],
      "photos=1": [replied],
      "photos=0": [other, plain],
      "verified=1": [other],
      "verified=0": [replied, plain],
      "reply=1": [replied],
      "reply=0": [other, plain],
      "status=pending": [other],
      "status=accepted": [plain],
      "status=rejected": [replied],
      "reason=spam": [replied],
      "from=2026-08-20": [replied, other],
      "to=2026-08-20": [other, plain],
      "from=2026-08-01&to=2026-08-31&stars=1&brand=Nordlys&reply=0": [plain],
    };
    for (const [query, ids] of Object.entries(expected))
      expect([query, await listed(client, query)]).toEqual([query, ids]);
  });

  it("finds reviews whose author changed the score", async () => {
    const client = await aClient();
    const [raised, lowered, edited] = await someReviews(client.id, [{ score: 4 }, { score: 2 }, { score: 3 }]);
    for (const [id, score] of [
      [raised, 1],
      [lowered, 5],
      [edited, 3],
    ])
      await rowsOf(
        `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, texts)
         values ($1, 'review', $2, 'author', 'edited', $3)`,
        [client.id, id, JSON.stringify({ extract: "Before.", score })],
      );
    // The store's own change isn't the author's.
    const [corrected] = await someReviews(client.id, [{ score: 5 }]);
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, texts)
       values ($1, 'review', $2, 'key', 'edited', $3)`,
      [client.id, corrected, JSON.stringify({ extract: "Before.", score: 1 })],
    );
    expect(await listed(client, "score_change=up")).toEqual([raised]);
    expect(await listed(client, "score_change=down")).toEqual([lowered]);
    expect(await listed(client, "score_change=up&sort=lowest")).toEqual([raised]);
    expect(await listed(client, "score_change=up&q=word")).toEqual([]);
    const [worded] = await someReviews(client.id, [{ score: 5, extract: "A word." }]);
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, texts)
       values ($1, 'review', $2, 'author', 'edited', '{"score": 1}')`,
      [client.id, worded],
    );
    await storeWords(client);
    expect(await listed(client, "score_change=up&q=word")).toEqual([worded]);
  });

  it("starts from the edits to find changed scores", async () => {
    const client = await aClient();
    const reviews = await someReviews(
      client.id,
      Array.from({ length: 500 }, () => ({ score: 4 })),
    );
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, texts)
       select $1, 'review', id, 'author', 'edited', json_build_object('score', case when n <= 5 then 1 else 4 end)
         from unnest($2::text[]) with ordinality e(id, n)`,
      [client.id, reviews.slice(0, 50)],
    );
    for (const table of ["reviews", "moderation_events"]) await rowsOf(`analyze ${table}`);
    for (const query of ["score_change=up", "score_change=up&sort=lowest"]) {
      const scope = { filter: filterOf(query) };
      expect(await selectLibraryKeys(pool(), client.id, scope, null, 51)).toHaveLength(5);
      const { read } = await totalQueryCost(() => selectLibraryKeys(pool(), client.id, scope, null, 51));
      // The 50 edits, their reviews and the 5 found, with what the index reads beside them.
      expect([query, read <= 200, read]).toEqual([query, true, read]);
    }
  });

  it("finds words of texts, titles and authors, or exactly an id, order, customer or address", async () => {
    const client = await aClient();
    const order = await anOrder(client.id);
    const [light, dim] = await someReviews(client.id, [
      { title: "Lovely", extract: "Warm light", author: "Zoë", order_id: order.id, email_key: "zoe@example.org" },
      { extract: "Dim light", date: "2026-01-16" },
    ]);
    await storeWords(client);
    expect(await listed(client, "q=light")).toEqual([dim, light]);
    expect(await listed(client, "q=zoe+lov")).toEqual([light]);
    expect(await listed(client, `q=${order.id}`)).toEqual([light]);
    expect(await listed(client, `q=${dim}`)).toEqual([dim]);
    expect(await listed(client, "q=Zoe@Example.org")).toEqual([light]);
    expect(await listed(client, "q=Zoe@Example.org", viewer)).toEqual([]);
    expect(await listed(client, "q=nothing")).toEqual([]);
  });

  it("has seller reviews and questions, without filters that don't apply", async () => {
    const client = await aClient();
    const [seller] = await someSellerReviews(client.id, [{ score: 2 }]);
    const [open, answered] = await someQuestions(client.id, [{ date: "2026-02-01" }, { date: "2026-01-01" }]);
    await anAnswer(client.id, answered!, { accepted: true });
    expect(await listed(client, "kind=seller_review&stars=2&product=sku-1")).toEqual([seller]);
    expect(await listed(client, "kind=seller_review&stars=5")).toEqual([]);
    expect(await listed(client, "kind=question&stars=1&sort=highest")).toEqual([open, answered]);
    expect(await listed(client, "kind=question&reply=0")).toEqual([open]);
  });

  it.each([
    ["9999-99-99", "2026-01-01T00:00:00+00:00"],
    ["2026-01-01", "1"],
    ["2026-01-01", "2026-02-30T00:00:00+00:00"],
    ["2026-01-01", "2026-02-03T00:00:00+20:00"],
  ])("refuses a cursor with the date %s and the time %s", async (date, time) => {
    const client = await aClient();
    const after = encodeCursor({ order: "library.review.newest", key: [date, time, "a", "5"], startedAt: null });
    await expect(listLibrary(admin, client, { filter: filterOf("") }, after)).rejects.toMatchObject({
      code: "invalid_cursor",
    });
  });

  it("finds rare and frequent words among many reviews, and products of a brand with many", async () => {
    const client = await aClient();
    await rowsOf(
      `insert into products (client_id, id, family_id, name, brand)
       select $1, 'p' || n, 'p' || n, 'Lamp', case n when 5 then 'Rare' else 'Frequent' end from generate_series(1, 1200) n`,
      [client.id],
    );
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, family_id, author, score, extract, date, created_at, feedback_token)
       select $1, 'r' || lpad(n::text, 4, '0'), 'web', 'p' || n, 'p' || n, 'Ada', 1 + n % 5,
              'A lamp' || case when n <= 3 then ' that hums' else '' end, '2026-01-01', now() - (3000 - n) * interval '1 minute', $1 || n
         from generate_series(1, 2100) n`,
      [client.id],
    );
    await rowsOf(
      `insert into review_words (client_id, id, text_at, words)
       select client_id, id, updated_at, search_words(client_id, extract) from reviews where client_id = $1`,
      [client.id],
    );
    const newestFirst = Array.from({ length: 2100 }, (_, n) => `r${String(2100 - n).padStart(4, "0")}`);
    // The three are beyond the rows that are looked through first.
    expect(await listed(client, "q=hums")).toEqual(["r0003", "r0002", "r0001"]);
    expect(await listed(client, "q=hums&sort=lowest")).toEqual(["r0003", "r0002", "r0001"].toSorted(byScore));
    expect(await listed(client, "q=hums&stars=3")).toEqual(["r0002"]);
    expect(await listed(client, "q=lamp")).toEqual(newestFirst);
    expect(await listed(client, "brand=rare")).toEqual(["r0005"]);
    expect(await listed(client, "brand=frequent")).toEqual(newestFirst.filter((id) => id <= "r1200" && id !== "r0005"));
    expect(await listed(client, "brand=frequent&q=hums")).toEqual(["r0003", "r0002", "r0001"]);
  });

  it("has only the store's own", async () => {
    const [client, foreign] = [await aClient(), await aClient()];
    const [theirs] = await someReviews(foreign.id, [{ extract: "Their light" }]);
    await storeWords(foreign);
    expect(await listed(client)).toEqual([]);
    expect(await listed(client, "q=light")).toEqual([]);
    expect(await listed(client, `q=${theirs}`)).toEqual([]);
  });

  it("reads a page from its index, and counts without reading texts", async () => {
    const client = await aClient();
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, family_id, author, score, extract, date, feedback_token, accepted, accepted_at)
       select $1, 'r' || n, 'web', 'p' || n % 50, 'p' || n % 50, 'Ada', 1 + n % 5, repeat(md5(n::text) || ' ', 20), date '2026-01-01' + n % 300, $1 || n, true, now()
         from generate_series(1, 5000) n`,
      [client.id],
    );
    await rowsOf("vacuum analyze reviews");
    for (const query of ["", "sort=lowest", "stars=1&from=2026-08-01&to=2026-08-31"]) {
      const scope = { filter: filterOf(query) };
      const page = await totalQueryCost(() => selectLibraryKeys(pool(), client.id, scope, null, 51));
      expect([query, page.whole, page.read < 500]).toEqual([query, [], true]);
    }
    const count = await captureStatement((db) => countLibrary(db, client.id, { filter: filterOf("stars=1") }));
    const [row] = await rowsOf(`explain (format json) ${count.text}`, count.values);
    expect(JSON.stringify(row)).toContain('"Index Only Scan"');
  });
});
