import { expect, it } from "vitest";
import { transaction } from "@/lib/platform/db/pool";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { aClient, rowsOf, someQuestions, someReviews, someSellerReviews } from "@/lib/tools/test/factories";
import { indexWords, listTextsToIndex } from "./index-words";
import { wordsTables } from "./words-tables";

/** Stores the words of all of a client's texts, and returns how many were stored. */
async function indexAll(clientId: string, batches?: number): Promise<number> {
  let count = 0;
  for (const one of await listTextsToIndex([clientId])) count += (await indexWords(one, batches)).indexed;
  return count;
}

const idsWith = async (clientId: string, kind: ModeratedKind, q: string): Promise<string[]> =>
  (
    await rowsOf(`select id from ${wordsTables[kind]} where client_id = $1 and words @@ search_query($1, $2)`, [
      clientId,
      q,
    ])
  ).map(({ id }) => id);

it("stores the words of each kind of text once", async () => {
  const { id } = await aClient();
  const [review] = await someReviews(id, [
    { title: "Très bien", extract: "Warm light", pros: ["sturdy"], cons: ["heavy"] },
  ]);
  const [sellerReview] = await someSellerReviews(id, [{ extract: "Fast delivery" }]);
  const [question] = await someQuestions(id, [{ question: "Which bulb?", details: "For the kitchen" }]);
  expect(await indexAll(id)).toBe(3);
  expect(await idsWith(id, "review", "tres light")).toEqual([review]);
  expect(await idsWith(id, "review", "sturdy heav")).toEqual([review]);
  expect(await idsWith(id, "review", "ada")).toEqual([review]);
  expect(await idsWith(id, "seller_review", "delivery")).toEqual([sellerReview]);
  expect(await idsWith(id, "question", "kitchen bulb")).toEqual([question]);
  expect(await indexAll(id)).toBe(0);
});

it("stores the words of a changed text again, and only of that one", async () => {
  const { id } = await aClient();
  const [changed] = await someReviews(id, [{ extract: "Warm light" }, { extract: "Cold light" }]);
  await indexAll(id);
  await rowsOf("update reviews set extract = 'Dim lamp' where client_id = $1 and id = $2", [id, changed]);
  expect(await indexAll(id)).toBe(1);
  expect(await idsWith(id, "review", "dim")).toEqual([changed]);
  expect(await idsWith(id, "review", "warm")).toEqual([]);
});

it("finds texts that were committed after newer ones", async () => {
  const { id } = await aClient();
  await someReviews(id, [{ extract: "Newer" }]);
  await indexAll(id);
  const halfAnHourAgo = new Date(Date.now() - 30 * 60_000);
  const [late] = await someReviews(id, [{ extract: "Older", updated_at: halfAnHourAgo }]);
  expect(await indexAll(id)).toBe(1);
  expect(await idsWith(id, "review", "older")).toEqual([late]);
});

it("finds texts that are older than an hour when all are compared", async () => {
  const { id } = await aClient();
  await someReviews(id, [{ extract: "Newer" }, { extract: "Newest" }]);
  await indexAll(id);
  const [missed] = await someReviews(id, [{ extract: "Older", updated_at: new Date(Date.now() - 30 * 86_400_000) }]);
  expect(await indexAll(id)).toBe(0);
  const found = await listTextsToIndex([id], { all: true });
  expect(found).toHaveLength(1);
  for (const one of found) await indexWords(one);
  expect(await idsWith(id, "review", "older")).toEqual([missed]);
});

it("stores the first words of a text that is too long for all of them", async () => {
  const { id } = await aClient();
  const long = (start: number, count: number) =>
    Array.from({ length: count }, (_, n) => `ж${(start + n).toString(36)}`.padEnd(10, "я")).join(" ");
  const [review] = await someReviews(id, [
    { extract: `Erste ${long(0, 5_000)}`, pros: Array.from({ length: 100 }, (_, n) => long(10_000 + n * 180, 180)) },
  ]);
  expect(await indexAll(id)).toBe(1);
  expect(await idsWith(id, "review", "erste")).toEqual([review]);
});

it("continues where a call ended", async () => {
  const { id } = await aClient();
  const now = new Date();
  await someReviews(
    id,
    Array.from({ length: 1_100 }, (_, n) => ({ extract: `Text ${n}`, updated_at: now })),
  );
  const [first] = await listTextsToIndex([id]);
  const part = await indexWords(first!, 2);
  expect(part.indexed).toBe(1_000);
  expect(await indexWords(part.next!)).toEqual({ indexed: 100, next: null });
});

it("leaves a text that is being deleted, without waiting, and its words go with it", async () => {
  const { id } = await aClient();
  const [gone, kept] = await someReviews(id, [{ extract: "Secret" }, { extract: "Public" }]);
  await transaction(async (db) => {
    await db.query("delete from reviews where client_id = $1 and id = $2", [id, gone]);
    expect(await indexAll(id)).toBe(1);
  });
  expect(await indexAll(id)).toBe(0);
  const [indexed] = await someReviews(id, [{ extract: "Stored" }]);
  await indexAll(id);
  await rowsOf("delete from reviews where client_id = $1 and id = $2", [id, indexed]);
  expect((await rowsOf("select id from review_words where client_id = $1", [id])).map((row) => row.id)).toEqual([kept]);
});
