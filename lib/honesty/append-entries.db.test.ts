import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { POST as collect } from "@/app/collect/reviews/route";
import { appendEntries } from "@/lib/honesty/append-entries";
import { contentHash } from "@/lib/honesty/entries-of-row";
import type { Entry } from "@/lib/honesty/entry";
import { openCheckpoint } from "@/lib/honesty/log/checkpoint";
import { parseVerifier } from "@/lib/honesty/log/signed-note";
import { leafHash, rootOf } from "@/lib/honesty/log/tree";
import { readEntries, readHead, readTile } from "@/lib/honesty/read-log";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { itemReference } from "@/lib/reviews/decisions/item-reference";
import { deleteReview } from "@/lib/reviews/reviews/delete-review";
import { postJson } from "@/lib/tools/test/collection-rows";
import { eraseCompletely } from "@/lib/tools/test/erase";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";

const actor = { kind: "user", id: "usr_1" } as const;

/** All entries of a store's log, after everything written so far was appended. */
async function logOf({ id }: Pick<TestClient, "id">): Promise<Entry[]> {
  await appendEntries();
  const head = await readHead(id);
  return head ? Array.fromAsync(readEntries(id, head.size)) : [];
}

/** The entries about items, without their times. */
const itemsIn = (entries: Entry[]) =>
  entries.filter((entry) => "item" in entry).map(({ at: _, ...entry }) => entry as Omit<Entry, "at">);

/** A visitor's review, with its id and salt. */
async function collected(shop: TestClient, more: Record<string, unknown> = {}) {
  const body = { client_id: shop.id, api_key: shop.publicKey, product_id: "P-1", author: "Ann", score: 4 };
  const response = await postJson(collect, "/collect/reviews", { ...body, content: "A fine lamp.", ...more });
  expect(response.status).toBe(201);
  const [row] = await rowsOf(
    "select subject_id as id, salt from moderation_events where client_id = $1 order by id desc limit 1",
    [shop.id],
  );
  return row as { id: string; salt: string };
}

describe("the log", () => {
  it("has an entry for what arrives and for each decision, without texts or ids", async () => {
    const shop = await aClient();
    const { id, salt } = await collected(shop, { author_email: "ann@example.org", title: "Bright" });
    const item = { kind: "review", item: itemReference(salt) };
    for (const [from, accepted, reason] of [
      ["pending", true, null],
      ["accepted", false, "spam"],
      ["rejected", true, null],
      ["accepted", null, null],
      ["pending", false, "other"],
    ] as const)
      await decideItem(actor, shop.client, "review", id, {
        from,
        accepted,
        ...(reason ? { reject_reason: reason } : {}),
      });
    const entries = await logOf(shop);
    expect(itemsIn(entries)).toEqual([
      {
        type: "received",
        ...item,
        stars: 4,
        source: "collect",
        content: contentHash(salt, "review", {
          author: "Ann",
          score: 4,
          title: "Bright",
          extract: "A fine lamp.",
          pros: [],
          cons: [],
        }),
      },
      { type: "published", ...item, by: "person" },
      { type: "removed", ...item, by: "person", reason: "spam" },
      { type: "restored", ...item, by: "person" },
      { type: "reopened", ...item, by: "person" },
      { type: "rejected", ...item, by: "person", reason: "other" },
    ]);
    const text = JSON.stringify(entries);
    for (const secret of [id, salt, "Ann", "ann@", "lamp", "P-1"]) expect(text).not.toContain(secret);
  });
});
