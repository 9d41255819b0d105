import pg from "pg";
import { describe, expect, it } from "vitest";
import { POST as collect } from "@/app/collect/reviews/route";
import * as review from "@/app/v1/reviews/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import { systemActor } from "@/lib/accounts/actor";
import { appendBatch, appendEntries } from "@/lib/honesty/append-entries";
import { addKey, endKey } from "@/lib/honesty/change-keys";
import { contentHash } from "@/lib/honesty/entries-of-row";
import type { Entry } from "@/lib/honesty/entry";
import { openCheckpoint } from "@/lib/honesty/log/checkpoint";
import { parseVerifier } from "@/lib/honesty/log/signed-note";
import { foldTile, leafHash, rootOf } from "@/lib/honesty/log/tree";
import { readEntries, readHead, readTile } from "@/lib/honesty/read-log";
import { signingKeys } from "@/lib/honesty/signing-keys";
import { hasMoreRows } from "@/lib/honesty/sql";
import { type Db, pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { itemReference } from "@/lib/reviews/decisions/item-reference";
import { deleteReview } from "@/lib/reviews/reviews/delete-review";
import { removeUnclaimedUploads } from "@/lib/reviews/uploads/remove-unclaimed-uploads";
import { setClient } from "@/lib/settings/set-client";
import { call } from "@/lib/tools/test/call";
import { postJson } from "@/lib/tools/test/collection-rows";
import { eraseCompletely } from "@/lib/tools/test/erase";
import { aClient, referenceOf, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { findEverywhere } from "@/lib/tools/test/find-everywhere";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";

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

const saltOf = async (id: string): Promise<string> =>
  (await rowsOf("select salt from moderation_events where subject_id = $1 order by id limit 1", [id]))[0].salt;

/** Checks a log's signature, and its root by its entries and by its tiles. Returns its size. */
async function verify({ id }: Pick<TestClient, "id">): Promise<number> {
  const head = await readHead(id);
  if (!head) throw new Error("There is no log.");
  const entries = await Array.fromAsync(readEntries(id, head.size));
  const keys = entries.flatMap((entry) => (entry.type === "key" ? [parseVerifier(entry.key)] : []));
  const { origin, size, root } = openCheckpoint(head.checkpoint, keys);
  expect(origin).toBe(`localhost:3000/honesty/${id}/log`);
  expect(size).toBe(head.size);
  const leaves = entries.map((entry) => leafHash(Buffer.from(JSON.stringify(entry))));
  const fromEntries = await rootOf(size, (level, n, width) => {
    let hashes = leaves;
    for (let above = 0; above < level; above += 1)
      hashes = Array.from({ length: Math.floor(hashes.length / 256) }, (_, at) =>
        foldTile(Buffer.concat(hashes.slice(at * 256, (at + 1) * 256))),
      );
    return Buffer.concat(hashes.slice(n * 256, n * 256 + width));
  });
  expect(fromEntries).toEqual(root);
  expect(await rootOf(size, async (...place) => (await readTile(id, ...place)) ?? Buffer.alloc(0))).toEqual(root);
  return size;
}

const aConnection = async (): Promise<pg.Client> => {
  const db = new pg.Client({ connectionString: env().DATABASE_URL });
  await db.connect();
  return db;
};

/** A visitor's review, with its id and salt. */
async function collected(shop: TestClient, more: Record<string, unknown> = {}) {
  const body = { client_id: shop.id, api_key: shop.publicKey, product_id: "P-1", author: "Ann", score: 4 };
  const response = await postJson(collect, "/collect/reviews", { ...body, content: "A fine lamp.", ...more });
  expect(response.status).toBe(201);
  const [row] = await rowsOf(
    "select subject_id as id, salt from moderation_events e where client_id = $1 and kind = 'review' order by e.id desc limit 1",
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
      ["accepted", false, "profanity"],
      ["rejected", true, null],
      ["accepted", null, null],
      ["pending", false, "personal_data"],
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
      { type: "removed", ...item, by: "person", reason: "profanity" },
      { type: "restored", ...item, by: "person" },
      { type: "reopened", ...item, by: "person" },
      { type: "rejected", ...item, by: "person", reason: "personal_data" },
    ]);
    const text = JSON.stringify(entries);
    for (const secret of [id, salt, "Ann", "ann@", "lamp", "P-1"]) expect(text).not.toContain(secret);
  });
});

describe("what the log keeps of an item that is gone", () => {
  it("has what was decided about a deleted review, by a reference that leads nowhere", async () => {
    const shop = await aClient();
    const { id, salt } = await collected(shop);
    await decideItem(actor, shop.client, "review", id, { accepted: true });
    // Before anything was appended: what is logged then knows no more than the rows that are left.
    await deleteReview({ ...systemActor, kind: "key", id: "key_1" }, shop.client, id);
    const item = { kind: "review", item: itemReference(salt) };
    expect(itemsIn(await logOf(shop))).toEqual([
      { type: "received", ...item },
      { type: "published", ...item, by: "person" },
      { type: "deleted", ...item, by: "key" },
    ]);
    expect(await findEverywhere([id, salt])).toEqual({ [id]: ["public.outbox"], [salt]: [] });
  });

  it("can't confirm an erased person's text to somebody with the log, the database and the text", async () => {
    const shop = await aClient();
    const written = { author: "Bob", author_email: "bob@example.org", title: null, content: "Broke on day two." };
    const { id, salt } = await collected(shop, { ...written, title: undefined });
    await decideItem(actor, shop.client, "review", id, { accepted: true });
    const before = await logOf(shop);
    await eraseCompletely(shop.id, { by: "email", email: "bob@example.org" });
    const entries = await logOf(shop);
    expect(entries.slice(0, before.length)).toEqual(before);
    expect(itemsIn(entries).at(-1)).toEqual({ type: "erased", kind: "review", item: itemReference(salt) });
    // Events on their way to jobs name the review until they are delivered.
    for (const [text, places] of Object.entries(
      await findEverywhere([id, salt, "bob@example.org", "Broke on day two."]),
    ))
      expect(places, text).toEqual(text === id ? ["public.outbox"] : []);
    expect(await verify(shop)).toBe(entries.length);
  });
});

describe("edits", () => {
  it("has the stars and the hash of each version, however late it is appended", async () => {
    const shop = await aClient();
    const made = await call(reviews, "POST", "/v1/reviews", {
      key: shop.key,
      body: {
        review: {
          author: "Eve",
          score: 2,
          title: "No",
          extract: "Too dark.",
          accepted: true,
          order: { item: { id: "P-1" } },
        },
      },
    });
    const { id } = made.json.data;
    for (const change of [{ score: 5 }, { extract: "Bright now." }, { external_id: "X-1" }])
      await call(review, "PUT", `/v1/reviews/${id}`, { key: shop.key, body: { review: change } });
    const salt = await saltOf(id);
    const texts = { author: "Eve", score: 2, title: "No", extract: "Too dark.", pros: [], cons: [] };
    const item = { kind: "review", item: itemReference(salt) };
    const content = (more: object) => contentHash(salt, "review", { ...texts, ...more });
    expect(itemsIn(await logOf(shop))).toEqual([
      { type: "received", ...item, stars: 2, source: "api", content: content({}) },
      { type: "published", ...item, by: "key" },
      { type: "edited", ...item, by: "key", fields: ["score"], stars: 5, content: content({ score: 5 }) },
      {
        type: "edited",
        ...item,
        by: "key",
        fields: ["extract"],
        stars: 5,
        content: content({ score: 5, extract: "Bright now." }),
      },
      {
        type: "edited",
        ...item,
        by: "key",
        fields: ["details"],
        stars: 5,
        content: content({ score: 5, extract: "Bright now." }),
      },
    ]);
  });
});

describe("what authors were offered", () => {
  it("is in the entry of what they wrote, and of each change of it, however late it is appended", async () => {
    const shop = await aClient({ config: { incentive: "A voucher" } });
    const { id, salt } = await collected(shop);
    const item = { kind: "review", item: itemReference(salt) };
    for (const change of [
      { incentivized: true },
      { incentivized: false },
      { score: 1 },
      { incentivized: true, score: 2 },
    ])
      await call(review, "PUT", `/v1/reviews/${id}`, { key: shop.key, body: { review: change } });
    const edited = { type: "edited", ...item, by: "key", content: expect.any(String) };
    expect(itemsIn(await logOf(shop))).toEqual([
      { type: "received", ...item, stars: 4, source: "collect", incentivized: true, content: expect.any(String) },
      { ...edited, fields: ["incentivized"], stars: 4, incentivized: false },
      { ...edited, fields: ["score"], stars: 1 },
      { ...edited, fields: ["incentivized", "score"], stars: 2, incentivized: true },
    ]);
    await verify(shop);
  });
});

describe("facts about the store", () => {
  it("begins with the store and its settings, and has each change of those that matter", async () => {
    const shop = await aClient({ auto_moderate: true, rules: { profanity: { words: ["bogus"] }, url: { on: false } } });
    await setClient(shop.id, { display_name: "Another name" });
    await setClient(shop.id, { min_review_words: 5 });
    const entries = await logOf(shop);
    expect(entries.map(({ type }) => type)).toEqual(["began", "key", "settings", "settings"]);
    expect(entries.slice(2)).toMatchObject([
      { settings: { auto_moderate: true, min_review_words: null, rules: { url: "off" } } },
      { settings: { auto_moderate: true, min_review_words: 5 } },
    ]);
    expect(JSON.stringify(entries)).not.toContain("bogus");
  });

  it("says when a reward for reviews is offered and no longer is, without what it is", async () => {
    const shop = await aClient();
    await setClient(shop.id, { config: { incentive: "5 € voucher" } });
    await setClient(shop.id, { config: { incentive: "10 € voucher" } });
    await setClient(shop.id, { config: {} });
    const entries = (await logOf(shop)).filter(({ type }) => type === "settings");
    expect(entries).toMatchObject([false, true, false].map((incentive) => ({ settings: { incentive } })));
    expect(JSON.stringify(entries)).not.toContain("voucher");
  });
});

describe("appending", () => {
  it("gives trees whose signed heads verify, over many bundles and batches", async () => {
    const shop = await aClient();
    let size = 0;
    for (const count of [1, 300, 2_500, 3, 90]) {
      await rowsOf(
        `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
         select $1, 'review', 'r' || n, 'author', 'submitted' from generate_series(1, $2) n`,
        [shop.id, count],
      );
      const entries = await logOf(shop);
      expect(entries.length).toBe((size || 3) + count);
      size = entries.length;
      expect(await verify(shop)).toBe(size);
    }
  });

  it("keeps the order of rows that are committed late, and doesn't wait for those that never come", async () => {
    const shop = await aClient();
    const written = async () =>
      itemsIn(await logOf(shop)).map((entry) => ("item" in entry ? subjects.get(entry.item as string) : entry));
    const subjects = new Map<string, string>();
    const insert = async (db: Db, subject: string) => {
      const { rows } = await db.query<{ salt: string }>(
        `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
         values ($1, 'review', $2, 'author', 'submitted') returning salt`,
        [shop.id, subject],
      );
      subjects.set(itemReference(rows[0]?.salt ?? ""), subject);
    };
    const [late, never] = [aConnection(), aConnection()];
    try {
      for (const db of [await late, await never]) await db.query("begin");
      await insert(pool(), "first");
      await insert(await late, "late");
      await insert(await never, "never");
      await insert(pool(), "last");
      expect(await written()).toEqual(["first"]);
      await (await never).query("rollback");
      expect(await written()).toEqual(["first"]);
      // A writer that begins now is not waited for.
      await (await never).query("begin");
      await insert(await never, "newest");
      await (await late).query("commit");
      expect(await written()).toEqual(["first", "late", "last"]);
      await (await never).query("commit");
      expect(await written()).toEqual(["first", "late", "last", "newest"]);
    } finally {
      for (const db of [await late, await never]) await db.end();
    }
  });

  it("appends each row once if several processes append at once", async () => {
    const shop = await aClient();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await rowsOf(
          `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
           select $1, 'review', $2 || n, 'author', 'submitted' from generate_series(1, 20) n`,
          [shop.id, `r${index}-`],
        );
        await appendEntries();
      }),
    );
    const items = itemsIn(await logOf(shop)).map((entry) => "item" in entry && entry.item);
    expect(items.length).toBe(400);
    expect(new Set(items).size).toBe(400);
    expect(await verify(shop)).toBe(403);
  });

  it("leaves everything for the next time if it fails in the middle", async () => {
    const shop = await aClient();
    await collected(shop);
    await rowsOf("alter table log_tiles add constraint broken check (level < 0) not valid");
    try {
      await expect(appendEntries()).rejects.toThrow("broken");
      expect(await readHead(shop.id)).toBeNull();
    } finally {
      await rowsOf("alter table log_tiles drop constraint broken");
    }
    expect(itemsIn(await logOf(shop)).map(({ type }) => type)).toEqual(["received"]);
  });
});

describe("replacing the key", () => {
  it("has both keys sign, names each in the log, and ends the old one", async () => {
    const shop = await aClient();
    const [before] = await logOf(shop).then((entries) => entries.filter(({ type }) => type === "key"));
    const old = (before as { key: string }).key;
    const [{ id: oldId } = { id: "" }] = await signingKeys(pool());
    await expect(endKey(oldId)).rejects.toMatchObject({ code: "conflict" });
    const added = await addKey();
    const entries = await logOf(shop);
    const { key } = entries.at(-1) as { key: string };
    const signers = async () => {
      const { checkpoint } = (await readHead(shop.id)) as { checkpoint: string };
      const known = [old, key].map(parseVerifier);
      return openCheckpoint(checkpoint, known).signedBy.map(({ id }) => id);
    };
    expect(await signers()).toEqual([old, key].map((text) => parseVerifier(text).id));
    await endKey(oldId);
    expect((await logOf(shop)).at(-1)).toMatchObject({ type: "key_retired", key: old });
    expect(await signers()).toEqual([parseVerifier(key).id]);
    await expect(endKey(oldId)).rejects.toMatchObject({ code: "not_found" });
    expect(await rowsOf("select id from log_keys where sealed_secret is not null")).toEqual([{ id: added }]);
  });
});

describe("many stores", () => {
  it("are appended a hundred at a time, so that a batch ends in time", async () => {
    await appendEntries();
    const [{ accountId }] = [await aClient()];
    await appendEntries();
    const { rows } = await pool().query<{ id: string }>(
      `with made as (
         insert into clients (id, account_id, display_name, email_name, public_key)
         select 'many-' || n, $1, 'Many', 'Many', 'pk_many_' || n from generate_series(1, 130) n returning id)
       select id from made`,
      [accountId],
    );
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
       select id, 'review', 'r', 'author', 'submitted' from unnest($1::text[]) id`,
      [rows.map(({ id }) => id)],
    );
    expect(await appendBatch()).toBe(100);
    expect(await appendBatch()).toBe(30);
    expect(await appendBatch()).toBe(0);
    for (const { id } of [rows[0], rows[129]] as [{ id: string }, { id: string }]) expect(await verify({ id })).toBe(4);
  });

  it("reads nothing of a long history if nothing is new", async () => {
    const shop = await aClient();
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
       select $1, 'review', 'r' || n, 'author', 'submitted' from generate_series(1, 2000) n`,
      [shop.id],
    );
    await appendEntries();
    await rowsOf("vacuum (analyze) moderation_events");
    expect(await hasMoreRows(pool())).toBe(false);
    const { read } = await queryCost(await captureStatement(hasMoreRows));
    expect(read).toBeLessThan(10);
  });
});

describe("photos", () => {
  it("that were removed from a review leave no token once they are deleted", async () => {
    const shop = await aClient();
    const token = "5".repeat(32);
    await rowsOf(
      `insert into uploads (client_id, token, key, format, width, height, sizes, bytes, created_at)
       values ($1, $2, 'aa/bb', 'jpeg', 1, 1, '{}', 1, now() - interval '2 days')`,
      [shop.id, token],
    );
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state)
       values ($1, 'photo', $2, 'user', 'decided', 'pending', 'accepted')`,
      [shop.id, token],
    );
    const reference = await referenceOf(token);
    await removeUnclaimedUploads();
    expect(
      await rowsOf("select subject_id, salt from moderation_events where kind = 'photo' and client_id = $1", [shop.id]),
    ).toEqual([{ subject_id: reference, salt: null }]);
    expect(itemsIn(await logOf(shop))).toEqual([{ type: "published", kind: "photo", item: reference, by: "person" }]);
  });
});
