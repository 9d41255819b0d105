import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { foldReviewCounts } from "@/lib/catalog/summaries/fold-review-counts";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { deleteReview } from "@/lib/reviews/reviews/delete-review";
import type { ReviewSubmission } from "@/lib/reviews/reviews/rules";
import { submitReview } from "@/lib/reviews/reviews/submit-review";
import { syncFamilies } from "@/lib/reviews/reviews/sync-families";
import { updateReview } from "@/lib/reviews/reviews/update-review";
import { upsertReview } from "@/lib/reviews/reviews/upsert-review";
import { aClient, rowsOf, someProducts, someReviews, type TestClient } from "@/lib/tools/test/factories";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const products = ["p0", "p1", "p2"];
const families = ["f0", "f1"];

const product = fc.constantFrom(...products);
const family = fc.constantFrom(...families);
const score = fc.integer({ min: 1, max: 5 });
/** Index of an existing review, modulo their number. */
const which = fc.nat(1_000);

// One change to a review. Several workers each apply theirs concurrently.
const step = fc.oneof(
  fc.record({ do: fc.constant("submit" as const), product, score }),
  fc.record({
    do: fc.constant("insert" as const),
    product: fc.option(product),
    family,
    score,
    accepted: fc.option(fc.boolean()),
  }),
  fc.record({ do: fc.constant("post" as const), which, product, score, accepted: fc.option(fc.boolean()) }),
  fc.record({ do: fc.constant("change" as const), which, product, score, accepted: fc.option(fc.boolean()) }),
  fc.record({ do: fc.constant("seller" as const), which, score, accepted: fc.option(fc.boolean()) }),
  fc.record({ do: fc.constant("decide" as const), which, accepted: fc.option(fc.boolean()) }),
  fc.record({ do: fc.constant("rescore" as const), which, score }),
  fc.record({ do: fc.constant("move" as const), which, product, family }),
  fc.record({ do: fc.constant("answers" as const), which, fits: fc.subarray(["s", "m", "l"]), comfort: score }),
  fc.record({ do: fc.constant("language" as const), which, lang: fc.constantFrom("en", "de"), bought: fc.boolean() }),
  fc.record({ do: fc.constant("photo" as const), which, photos: fc.nat(2) }),
  fc.record({ do: fc.constant("vote" as const), which }),
  fc.record({ do: fc.constant("ask" as const), which, product, family, accepted: fc.option(fc.boolean()) }),
  fc.record({ do: fc.constant("answer" as const), which, nth: fc.nat(2), accepted: fc.option(fc.boolean()) }),
  fc.record({ do: fc.constant("take answers back" as const), which }),
  fc.record({ do: fc.constant("drop question" as const), which }),
  fc.record({ do: fc.constant("delete" as const), which }),
  fc.record({ do: fc.constant("reorder families" as const), product, family }),
  fc.record({ do: fc.constant("decide all" as const), accepted: fc.boolean() }),
  fc.record({ do: fc.constant("fold" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const size = [30, 20];
const photo = {
  token: "t".repeat(32),
  key: "k".repeat(32),
  format: "png",
  width: 30,
  height: 20,
  sizes: { icon: size, medium: size, large: size },
};
const submission = {
  source: "web",
  familyId: null,
  productName: null,
  productUrl: null,
  category: null,
  author: "Ada",
  authorEmail: null,
  authorIp: null,
  title: null,
  pros: [],
  cons: [],
  recommended: null,
  answers: {},
  images: [],
  lang: "en",
  order: null,
  termsAgreed: false,
} satisfies Partial<ReviewSubmission>;

async function act(shop: TestClient, given: Step): Promise<void> {
  const pick = async (): Promise<string | undefined> => {
    if (!("which" in given)) return undefined;
    const rows = await rowsOf("select id from reviews where client_id = $1 order by id", [shop.id]);
    return rows.length > 0 ? rows[given.which % rows.length].id : undefined;
  };
  const id = await pick();
  const set = (assignment: string, ...values: unknown[]) =>
    rowsOf(`update reviews set ${assignment} where client_id = $1 and id = $2`, [shop.id, id, ...values]);
  switch (given.do) {
    case "submit":
      await submitReview(shop.client, {
        ...submission,
        productId: given.product,
        score: given.score,
        content: randomUUID(),
      });
      return;
    case "insert":
      await someReviews(shop.id, [
        { product_id: given.product, family_id: given.family, score: given.score, accepted: given.accepted },
      ]);
      return;
    case "post":
      await upsertReview(systemActor, shop.client, {
        external_id: `e${given.which % 3}`,
        author: "Ada",
        order: { item: { id: given.product } },
        score: given.score,
        accepted: given.accepted,
      });
      return;
    case "change":
      if (id) {
        const change = { order: { item: { id: given.product } }, score: given.score, accepted: given.accepted };
        await updateReview(systemActor, shop.client, id, change).catch(ignoreMissing);
      }
      return;
    case "seller":
      // Inserts or updates, whichever worker comes first.
      await rowsOf(
        `insert into seller_reviews (client_id, id, source, author, score, date, feedback_token, accepted, accepted_at, reject_reason)
         values ($1, $2, 'invitation', 'Ada', $3, current_date, $1 || $2, $4, case when $4 then now() end, case when not $4 then 'spam' end)
         on conflict (client_id, id) do update set score = excluded.score, accepted = excluded.accepted,
           accepted_at = excluded.accepted_at, reject_reason = excluded.reject_reason`,
        [shop.id, `seller-${given.which % 3}`, given.score, given.accepted],
      );
      return;
    case "decide":
      // May have been deleted concurrently: then `not_found` is the only error allowed.
      if (id) await updateReview(systemActor, shop.client, id, { accepted: given.accepted }).catch(ignoreMissing);
      return;
    case "rescore":
      await set("score = $3", given.score);
      return;
    case "move":
      await set("product_id = $3, family_id = $4", given.product, given.family);
      return;
    case "answers":
      await set("answers = $3", JSON.stringify({ fit: given.fits, comfort: given.comfort, use: "daily ".repeat(20) }));
      return;
    case "language":
      await set("lang = $3, verified_buyer = $4", given.lang, given.bought);
      return;
    case "photo":
      await set("images = $3", JSON.stringify(Array.from({ length: given.photos }, () => photo)));
      return;
    case "ask":
      // Inserts or updates, whichever worker comes first; the same for answers. Each insert has its own token, so only
      // the id conflicts.
      await rowsOf(
        `insert into questions (client_id, id, source, product_id, family_id, author, question, date, feedback_token, accepted, accepted_at, reject_reason)
         values ($1, $2, 'web', $3, $4, 'Bo', 'Why?', current_date, gen_random_uuid(), $5, case when $5 then now() end, case when not $5 then 'spam' end)
         on conflict (client_id, id) do update set product_id = excluded.product_id, family_id = excluded.family_id,
           accepted = excluded.accepted, accepted_at = excluded.accepted_at, reject_reason = excluded.reject_reason`,
        [shop.id, `q${given.which % 3}`, given.product, given.family, given.accepted],
      );
      return;
    case "answer":
      await rowsOf(
        `insert into answers (client_id, id, question_id, author, answer, date, accepted, accepted_at, reject_reason)
         select client_id, id || '-' || $3, id, 'Shop', 'So.', current_date, $4, case when $4 then now() end, case when not $4 then 'spam' end
           from questions where client_id = $1 and id = $2
         on conflict (client_id, id) do update set accepted = excluded.accepted, accepted_at = excluded.accepted_at,
           reject_reason = excluded.reject_reason`,
        [shop.id, `q${given.which % 3}`, String(given.nth), given.accepted],
      ).catch(ignoreOrphans);
      return;
    case "take answers back":
      await rowsOf("delete from answers where client_id = $1 and question_id = $2", [shop.id, `q${given.which % 3}`]);
      return;
    case "drop question":
      await rowsOf("delete from questions where client_id = $1 and id = $2", [shop.id, `q${given.which % 3}`]);
      return;
    case "vote":
      await set("votes_up = votes_up + 1");
      return;
    case "delete":
      if (id) await deleteReview(systemActor, shop.client, id).catch(ignoreMissing);
      return;
    case "reorder families":
      await rowsOf("update products set family_id = $3 where client_id = $1 and id = $2", [
        shop.id,
        given.product,
        given.family,
      ]);
      await syncFamilies(shop.id);
      return;
    case "fold":
      await foldReviewCounts();
      return;
    case "decide all":
      // Updates of many rows lock them in id order.
      await rowsOf(
        `with held as (select id from reviews where client_id = $1 order by id for update)
         update reviews r set accepted = $2, accepted_at = case when $2 then now() end, reject_reason = case when $2 then null else 'spam' end
           from held where r.client_id = $1 and r.id = held.id`,
        [shop.id, given.accepted],
      );
  }
}

function ignoreMissing(error: { code?: string }): void {
  if (error.code !== "not_found") throw error;
}

/** Ignores that the question was deleted concurrently, before the answer was inserted. */
function ignoreOrphans(error: { code?: string }): void {
  if (error.code !== "23503") throw error;
}

describe("summaries", () => {
  it("equal a recount after concurrent changes to reviews", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        async (workers) => {
          const shop = await aClient();
          await someProducts(
            shop.id,
            products.map((id) => ({ id, family_id: "f0" })),
          );
          await someReviews(shop.id, [
            { product_id: "p0", family_id: "f0", accepted: true },
            { product_id: "p1", family_id: "f0" },
          ]);
          await Promise.all(
            workers.map(async (steps) => {
              for (const each of steps) await act(shop, each);
            }),
          );
          expect(await verifySummaries(shop.id)).toEqual([]);
        },
      ),
      { numRuns: propertyRuns(15), endOnFailure: true },
    );
  }, 60_000);

  it("increment their version with every change that is displayed", async () => {
    const shop = await aClient();
    const [id] = await someReviews(shop.id, [{ product_id: "p0", family_id: "f0", accepted: true }]);
    const version = async () =>
      (await rowsOf("select version from product_summaries where client_id = $1 and product_id = 'p0'", [shop.id]))[0]
        .version;
    const first = await version();
    await rowsOf("update reviews set votes_up = 1 where client_id = $1 and id = $2", [shop.id, id]);
    expect(await version()).toBe(first + 1);
    await rowsOf("update reviews set flag_count = 1 where client_id = $1 and id = $2", [shop.id, id]);
    expect(await version()).toBe(first + 1);
  });
});

describe("verifySummaries", () => {
  it("finds differences of one client or of all", async () => {
    const shop = await aClient();
    const other = await aClient();
    for (const { id } of [shop, other])
      await someReviews(id, [{ product_id: "p0", family_id: "f0", accepted: true, score: 3 }]);
    expect(await verifySummaries()).toEqual([]);
    await rowsOf("update product_summaries set count = 2, c3 = 2 where client_id = $1", [shop.id]);
    await rowsOf("delete from family_summaries where client_id = $1", [shop.id]);
    await rowsOf("insert into seller_summaries (client_id, count, sum, c5) values ($1, 1, 5, 1)", [other.id]);
    await rowsOf("update product_summaries set question_count = 2 where client_id = $1", [other.id]);
    await rowsOf("insert into review_facets values ($1, 'family', 'f0', 'lang', 'sv', 3)", [other.id]);
    await rowsOf(
      `insert into review_counts (client_id, date, source, score, accepted, count) values ($1, '2026-03-01', 'web', 4, null, 2)`,
      [other.id],
    );
    const found = await verifySummaries(shop.id);
    expect(found).toEqual([
      { client_id: shop.id, kind: "family", id: "f0", kept: [0, 0, 0, 0, 0, 0, 0], counted: [1, 3, 0, 0, 1, 0, 0] },
      { client_id: shop.id, kind: "product", id: "p0", kept: [2, 3, 0, 0, 2, 0, 0], counted: [1, 3, 0, 0, 1, 0, 0] },
    ]);
    expect((await verifySummaries()).filter(({ client_id }) => client_id === other.id)).toEqual([
      { client_id: other.id, kind: "day", id: "2026-03-01 web - 4 pending", kept: [2], counted: [0] },
      { client_id: other.id, kind: "facet", id: "family f0 lang sv", kept: [3], counted: [0] },
      { client_id: other.id, kind: "questions", id: "product p0", kept: [2], counted: [0] },
      {
        client_id: other.id,
        kind: "seller",
        id: other.id,
        kept: [1, 5, 0, 0, 0, 0, 1],
        counted: [0, 0, 0, 0, 0, 0, 0],
      },
    ]);
  });
});

describe("foldReviewCounts", () => {
  const countsOf = (clientId: string) =>
    rowsOf(
      "select date::text, accepted, count, folded from review_counts where client_id = $1 order by date, accepted",
      [clientId],
    );

  it("replaces changes by their sums, and drops those at zero", async () => {
    const shop = await aClient();
    const review = { product_id: "p0", family_id: "f0", date: "2026-03-01" };
    const [first, gone] = await someReviews(shop.id, [review, { ...review, date: "2026-03-02" }, review]);
    await rowsOf("update reviews set accepted = true, accepted_at = now() where client_id = $1 and id = $2", [
      shop.id,
      first,
    ]);
    await rowsOf("delete from reviews where client_id = $1 and id = $2", [shop.id, gone]);
    while ((await foldReviewCounts()) > 0);
    expect(await countsOf(shop.id)).toEqual([
      { date: "2026-03-01", accepted: true, count: 1, folded: true },
      { date: "2026-03-01", accepted: null, count: 1, folded: true },
    ]);
    expect(await verifySummaries(shop.id)).toEqual([]);
  });

  it("leaves nothing of a client that is deleted at the same time", async () => {
    for (let round = 0; round < 5; round += 1) {
      const shop = await aClient();
      await someReviews(shop.id, [{ product_id: "p0", family_id: "f0" }]);
      await Promise.all([
        foldReviewCounts(),
        rowsOf("delete from clients where id = $1", [shop.id]),
        foldReviewCounts(),
      ]);
      expect(await countsOf(shop.id)).toEqual([]);
    }
  });

  it("leaves nothing of a deleted client", async () => {
    const shop = await aClient();
    await someReviews(shop.id, [{ product_id: "p0", family_id: "f0" }]);
    await rowsOf("delete from clients where id = $1", [shop.id]);
    expect(await countsOf(shop.id)).toEqual([]);
  });
});
