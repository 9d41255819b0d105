import { Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { aClient, someReviews, type TestClient } from "@/lib/tools/test/factories";
import { type ExportFormat, exportReviews } from "@/lib/transfer/export-reviews";
import { importReviews } from "@/lib/transfer/import-reviews";

// Round trip of generated reviews. For chosen examples, see `round-trip.db.test.ts`.

const exported = (client: TestClient, format?: ExportFormat) =>
  readAll(Readable.from(exportReviews(client.id, { format })));
const importText = (client: TestClient, text: string) => importReviews(client.id, Readable.from([Buffer.from(text)]));

it("our own files return any reviews unchanged, in either format", async () => {
  const awkward = fc.string({
    unit: fc.constantFrom(..."ab'\"=+-@,;\t\r\n\\{}[]é😀＝ \u2028\u00a0N"),
    maxLength: 12,
  });
  const optional = fc.option(awkward);
  const review = fc.record({
    author: optional,
    title: optional,
    extract: awkward,
    product_name: optional,
    category: optional,
    author_email: optional,
    order_id: fc.option(awkward.filter((id) => id !== "")),
    pros: fc.array(awkward, { maxLength: 3 }),
    cons: fc.array(awkward, { maxLength: 3 }),
    answers: fc.dictionary(awkward, awkward, { maxKeys: 3 }).map((answers) => JSON.stringify(answers)),
    recommended: fc.option(fc.boolean()),
    score: fc.integer({ min: 1, max: 5 }),
    accepted: fc.option(fc.boolean()),
    votes_up: fc.integer({ min: 0, max: 9 }),
    verified_buyer: fc.boolean(),
    incentivized: fc.boolean(),
    lang: fc.constantFrom("en", null),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(review, { minLength: 1, maxLength: 6 }), async (reviews) => {
      const client = await aClient();
      await someReviews(client.id, reviews);
      const [asLines, asCsv] = [await exported(client), await exported(client, "csv")];
      const fromLines = await aClient();
      expect((await importText(fromLines, asLines)).created).toBe(reviews.length);
      expect(await exported(fromLines)).toBe(asLines);
      const fromCsv = await aClient();
      expect((await importText(fromCsv, asCsv)).created).toBe(reviews.length);
      expect(await exported(fromCsv, "csv")).toBe(asCsv);
    }),
    { numRuns: 20 },
  );
  expect(await verifySummaries()).toEqual([]);
}, 180_000);
