import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import type { StoredReport } from "@/lib/feeds/import-records";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { newId, newReviewId, newUploadToken } from "@/lib/platform/ids";
import { removeFolder } from "@/lib/platform/storage/files";
import { claimUploads } from "@/lib/reviews/uploads/claim-uploads";
import { fileName, folderOf } from "@/lib/reviews/uploads/image-objects";
import { copyUpload, findUpload } from "@/lib/reviews/uploads/import-image";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";
import { waitUntil } from "@/lib/tools/test/engines";
import { eraseCompletely } from "@/lib/tools/test/erase";
import { aClient, anOrder, hashDatabase, rowsOf, someReviews, type TestClient } from "@/lib/tools/test/factories";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { type ExportFormat, exportReviews, exportReviewsTo } from "@/lib/transfer/export-reviews";
import { type ImportReviewsOptions, importReviews } from "@/lib/transfer/import-reviews";
import { importReviewsFrom } from "@/lib/transfer/import-reviews-from";
import { completeKindOf } from "@/lib/transfer/own-rows";
import type { ExportKind } from "@/lib/transfer/schema";

// Exports and imports reviews: every field of a file must come back unchanged. `round-trip.soak.test.ts` does this for
// generated reviews.

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder("transfer");
});

const exported = (client: TestClient, format?: ExportFormat) =>
  readAll(Readable.from(exportReviews(client.id, { format })));
const importText = (client: TestClient, text: string, options?: ImportReviewsOptions) =>
  importReviews(client.id, Readable.from([Buffer.from(text)]), { imageSources: { fromAnyClient: true }, ...options });
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const records = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Numbers of rows by outcome, which add up to the total. */
function counts({ read, created, updated, unchanged, deleted, rejected, rejectedCount }: StoredReport) {
  expect(read).toBe(created + updated + unchanged + rejectedCount);
  expect(deleted).toBe(0);
  return { read, created, updated, unchanged, rejected };
}

async function aReply(client: TestClient, reviewId: string, extract: string, at: string) {
  await pool().query(
    `insert into responses (client_id, id, kind, subject_id, author, extract, lang, date, created_at, updated_at)
     values ($1, $2, 'review', $3, 'The shop', $4, 'en', $5::timestamptz::date, $5::timestamptz, $5::timestamptz + interval '1 hour')`,
    [client.id, newId("rsp"), reviewId, extract, at],
  );
}

async function aPhoto(client: TestClient, reviewId: string, width: number, format: "jpeg" | "png" = "jpeg") {
  const bytes = await sharp({ create: { width, height: 80, channels: 3, background: "#b52" } })
    .toFormat(format)
    .toBuffer();
  const { token } = await storeUpload({ id: client.id }, new Blob([new Uint8Array(bytes)]));
  const [held = []] = (
    await rowsOf("select images from reviews where client_id = $1 and id = $2", [client.id, reviewId])
  ).map(({ images }) => images as StoredImage[]);
  const tokens = [...held.map((image) => image.token), token];
  const images = await claimUploads(pool(), { id: client.id }, tokens, { kind: "review", id: reviewId }, held);
  await pool().query("update reviews set images = $3 where client_id = $1 and id = $2", [
    client.id,
    reviewId,
    JSON.stringify(images),
  ]);
  return images.at(-1)!;
}

/** A client whose reviews have every field, with unusual values. */
async function aShop(): Promise<{ client: TestClient; ids: string[] }> {
  const client = await aClient();
  const ids = await someReviews(client.id, [
    {
      external_id: "old-1",
      source: "invitation",
      product_name: "Lamp; \"brass\", 'small'",
      product_url: "https://shop.example/lamp?a=1&b=2",
      category: "Lamps > Reading",
      author: "=cmd|' /C calc'!A0",
      author_email: "Ada@Example.ORG ",
      email_key: "ada@example.org",
      title: "'-5 stars? +1!",
      extract: "First line,\r\nsecond \"line\"\n\n🔥 ''@home\tand \u2028 on",
      pros: ["+ bright", 'the "shade"', ""],
      cons: ["@night", "a\nb"],
      recommended: true,
      answers: JSON.stringify({ fit: "small", "room size": ["a", "b"], "2": 4 }),
      lang: "en",
      order_id: "1001",
      customer_id: "c-1",
      verified_buyer: true,
      verified_email: true,
      incentivized: true,
      terms_agreed_at: "2026-01-15T10:11:12.345Z",
      terms_version: "v1",
      votes_up: 7,
      votes_down: 2,
      accepted: true,
      accepted_at: new Date("2026-01-16T08:09:10.111Z"),
      decided_at: new Date("2026-01-16T08:09:10.111Z"),
    },
    { score: 1, accepted: false, reject_reason: "personal_data", title: "", extract: "", author: null, lang: null },
    { id: "0123456789012345", score: 3, product_id: null, family_id: "only-family", product_name: null },
    { score: 4, accepted: true, accepted_at: new Date("2026-02-01T00:00:00Z"), extract: "Good." },
  ]);
  const [first = "", , , fourth = ""] = ids;
  await aReply(client, first, 'Thank "you"\n=1+1', "2026-01-20T09:00:00.5Z");
  await aReply(client, first, "And again.", "2026-01-20T09:00:00.5Z");
  await aReply(client, first, "Before.", "2026-01-18T09:00:00Z");
  await aPhoto(client, first, 120);
  await aPhoto(client, first, 2_000, "png");
  await aPhoto(client, fourth, 300);
  return { client, ids };
}

it("exports any number of long reviews in pages that fit in memory", async () => {
  const client = await aClient();
  const MiB = 1024 * 1024;
  const long = "Långt omdöme. ".repeat(4_285);
  const small = Array.from({ length: 40 }, (_, at) => ({ extract: `Short ${at}.` }));
  await someReviews(client.id, [...Array.from({ length: 150 }, () => ({ extract: long })), ...small]);
  const pieces: string[] = [];
  for await (const piece of exportReviews(client.id)) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThan(4.2 * MiB);
  const rows = records(pieces.join("")) as { id: string; extract: string }[];
  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort());
  expect(new Set(rows.map(({ id }) => id)).size).toBe(190);
  expect(rows.filter(({ extract }) => extract === long)).toHaveLength(150);
});

describe.each(["jsonl", "csv"] as const)("an export as %s", (format) => {
  it("imports into an empty client as it was, images included", async () => {
    const { client } = await aShop();
    const file = path.join(folder, `shop.${format}`);
    const report = await exportReviewsTo(client.id, file, { format });
    expect(report).toEqual({ file, rows: 4, images: 3, missing: [] });
    const text = await readFile(file, "utf8");
    expect(text).toBe(await exported(client, format));
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const other = await aClient();
    const imported = await importReviewsFrom(other.id, file);
    expect(counts(imported)).toEqual({ read: 4, created: 4, updated: 0, unchanged: 0, rejected: [] });
    expect(imported).toMatchObject({ repairs: [], warnings: [], incomplete: null });
    expect(await exported(other, format)).toBe(text);

    const again = path.join(folder, `again.${format}`);
    await exportReviewsTo(other.id, again, { format });
    const pictures = await readdir(`${file}.images`);
    expect(pictures).toHaveLength(3);
    expect(await readdir(`${again}.images`)).toEqual(pictures);
    for (const name of pictures) {
      expect(await readFile(path.join(`${again}.images`, name))).toEqual(
        await readFile(path.join(`${file}.images`, name)),
      );
    }
    expect(await verifySummaries()).toEqual([]);
  });

  it("can be imported again anywhere without a change", async () => {
    const { client } = await aShop();
    const text = await exported(client, format);
    const before = await hashDatabase();
    const unchanged = { read: 4, created: 0, updated: 0, unchanged: 4, rejected: [] };
    expect(counts(await importText(client, text, { dryRun: true }))).toEqual(unchanged);
    expect(await hashDatabase()).toBe(before);
    const state = () =>
      rowsOf("select id, updated_at, body, images from reviews where client_id = $1 order by id", [client.id]);
    const reviews = await state();
    expect(counts(await importText(client, text))).toEqual(unchanged);
    expect(await state()).toEqual(reviews);
    const other = await aClient();
    await importText(other, text);
    expect(counts(await importText(other, text))).toEqual(unchanged);
    expect(await exported(other, format)).toBe(text);
  });
});

describe("our own files", () => {
  it("apply edits, keep the old text in the history, and change nothing else", async () => {
    const { client, ids } = await aShop();
    const rows = records(await exported(client));
    const first = rows.find(({ id }) => id === ids[0])!;
    const second = rows.find(({ id }) => id === ids[1])!;
    first.extract = "Another text.";
    first.responses = (first.responses as object[]).slice(0, 1);
    first.images = (first.images as object[]).slice(1);
    second.accepted = true;
    second.verified_buyer = true;
    const report = await importText(client, lines(rows));
    expect(counts(report)).toEqual({ read: 4, created: 0, updated: 2, unchanged: 2, rejected: [] });

    const after = records(await exported(client));
    expect(after.find(({ id }) => id === ids[0])).toEqual(first);
    expect(after.find(({ id }) => id === ids[1])).toEqual({
      ...second,
      reject_reason: null,
      accepted_at: expect.any(String),
    });
    const history = await rowsOf(
      "select subject_id, actor_kind, action, from_state, to_state, reason, texts from moderation_events where client_id = $1 and kind <> 'store' order by subject_id = $2 desc",
      [client.id, ids[0]],
    );
    expect(history).toEqual([
      {
        subject_id: ids[0],
        actor_kind: "system",
        action: "imported",
        from_state: "accepted",
        to_state: "accepted",
        reason: null,
        texts: expect.objectContaining({ extract: expect.stringContaining("First line"), score: 5 }),
      },
      {
        subject_id: ids[1],
        actor_kind: "system",
        action: "imported",
        from_state: "rejected",
        to_state: "accepted",
        reason: null,
        texts: null,
      },
    ]);
    expect(await rowsOf("select from outbox where client_id = $1", [client.id])).toEqual([]);
    // The removed image's upload is released, to be cleaned up with its file.
    expect(await rowsOf("select from uploads where client_id = $1 and claimed_at is null", [client.id])).toHaveLength(
      1,
    );
    expect(await verifySummaries()).toEqual([]);
    expect(counts(await importText(client, lines(rows)))).toMatchObject({ updated: 0, unchanged: 4 });
  });

  it("leave values of absent keys unchanged", async () => {
    const { client, ids } = await aShop();
    const before = records(await exported(client));
    const report = await importText(
      client,
      lines([
        { external_id: "old-1", score: 2 },
        { id: ids[2], accepted: true },
      ]),
    );
    expect(counts(report)).toMatchObject({ updated: 2 });
    const after = records(await exported(client));
    for (const old of before) {
      const now = after.find(({ id }) => id === old.id);
      if (old.external_id === "old-1") expect(now).toEqual({ ...old, score: 2 });
      else if (old.id === ids[2]) expect(now).toEqual({ ...old, accepted: true, accepted_at: expect.any(String) });
      else expect(now).toEqual(old);
    }
  });

  it("change whether an author was offered something, with it in the history, and keep it if they don't say", async () => {
    const { client, ids } = await aShop();
    const marked = async (row: object) => {
      await importText(client, lines([{ id: ids[0], ...row }]));
      return records(await exported(client)).find(({ id }) => id === ids[0])?.incentivized;
    };
    expect(await marked({ score: 4 })).toBe(true);
    expect(await marked({ incentivized: false })).toBe(false);
    expect(await marked({ incentivized: null, score: 3 })).toBe(false);
    const history = await rowsOf(
      "select texts from moderation_events where client_id = $1 and subject_id = $2 and action = 'imported' order by id",
      [client.id, ids[0]],
    );
    expect(history.map(({ texts }) => [texts.score, texts.incentivized])).toEqual([
      [5, undefined],
      [4, true],
      [4, undefined],
    ]);
  });

  it("have another reason in the history besides other texts or another mark", async () => {
    const { client, ids } = await aShop();
    const importRow = async (row: object) =>
      expect(counts(await importText(client, lines([{ id: ids[1], accepted: false, ...row }])))).toMatchObject({
        updated: 1,
      });
    await importRow({ reject_reason: "spam", extract: "Buy here." });
    await importRow({ reject_reason: "duplicate", incentivized: true });
    await importRow({ reject_reason: "duplicate", extract: "Buy there." });
    await importRow({ reject_reason: "spam" });
    await importText(client, lines([{ id: ids[1], accepted: true, extract: "Good." }]));
    const history = await rowsOf(
      "select from_state, to_state, reason, texts from moderation_events where client_id = $1 and subject_id = $2 and action = 'imported' order by id",
      [client.id, ids[1]],
    );
    expect(
      history.map(({ from_state, to_state, reason, texts }) => [from_state, to_state, reason, texts?.extract]),
    ).toEqual([
      ["rejected", "rejected", "personal_data", ""],
      ["rejected", "rejected", "spam", undefined],
      ["rejected", "rejected", "spam", "Buy here."],
      ["rejected", "rejected", "duplicate", undefined],
      ["rejected", "rejected", "duplicate", "Buy here."],
      ["rejected", "rejected", "spam", undefined],
      ["rejected", "accepted", null, "Buy there."],
    ]);
  });

  it("have no reward with an empty cell, as with the other marks", async () => {
    const { client, ids } = await aShop();
    const marked = async () => records(await exported(client)).find(({ id }) => id === ids[0])?.incentivized;
    const report = await importText(client, `id,score,incentivized\n${ids[0]},5,\n`);
    expect(counts(report)).toMatchObject({ updated: 1, rejected: [] });
    expect(await marked()).toBe(false);
  });

  it("are recognized without the columns that earlier versions don't export", async () => {
    const { client } = await aShop();
    const [header = "", ...rows] = (await exported(client, "csv")).split("\n");
    expect(completeKindOf(header.split(","))).toBe("reviews");
    expect(completeKindOf(header.replace(",incentivized", "").split(","))).toBe("reviews");
    expect(completeKindOf(header.replace(",extract", "").split(","))).toBeNull();
    expect(rows.length).toBeGreaterThan(3);
  });

  it("drop a verified mark when the address changes", async () => {
    const { client, ids } = await aShop();
    const marked = async (author_email: string) => {
      await importText(client, lines([{ id: ids[0], author_email }]));
      return records(await exported(client)).find(({ id }) => id === ids[0])?.verified_email;
    };
    expect(await marked("ADA@example.org")).toBe(true);
    expect(await marked("bo@example.org")).toBe(false);
  });

  it("create reviews from minimal rows, with the defaults of new ones", async () => {
    const client = await aClient({ locale: "sv_SE" });
    const report = await importText(client, lines([{ external_id: "a", product_id: "p", score: 4 }]));
    expect(counts(report)).toMatchObject({ created: 1 });
    expect(records(await exported(client))[0]).toMatchObject({
      external_id: "a",
      accepted: null,
      verified_buyer: false,
      verified_email: false,
      incentivized: false,
      lang: "sv",
      extract: "",
      author: null,
      date: new Date().toISOString().slice(0, 10),
      votes_up: 0,
      responses: [],
    });
    const [{ source, body }] = await rowsOf("select source, body from reviews where client_id = $1", [client.id]);
    expect(source).toBe("import");
    expect(JSON.parse(`${body}}`)).toMatchObject({ external_id: "a", product_ids: ["p"], accepted: null });
  });

  it("reject single rows, with reasons that don't contain their text", async () => {
    const client = await aClient();
    await someReviews(client.id, [
      { id: "00000000000000aa", external_id: "known-a" },
      { id: "00000000000000bb", external_id: "known-b" },
    ]);
    const good = { product_id: "p", score: 5 };
    const secret = "someone@secret.example";
    const report = await importText(
      client,
      `${lines([
        { external_id: "x", ...good },
        { ...good },
        { external_id: "s", ...good, score: 6, author: secret },
        { external_id: "t", ...good, extract: "a\0b" },
        { external_id: "u", ...good, extract: "a\ud800b" },
        { external_id: "v", score: 3 },
        { external_id: "w", product_id: "p" },
        { external_id: "known-a", id: "00000000000000bb" },
        { external_id: "y", ...good, date: "2999-01-01" },
        { external_id: "z", ...good, reject_reason: secret },
        { external_id: "n", ...good, id: "../../etc" },
      ])}[1,2]\n{"external_id": "${secret}", broken\n${lines([{ external_id: "x", ...good, score: 1 }])}`,
    );
    expect(counts(report)).toEqual({
      read: 14,
      created: 1,
      updated: 0,
      unchanged: 0,
      rejected: [
        { row: 1, reason: "doubled" },
        { row: 2, reason: "id_missing" },
        { row: 3, reason: "score_invalid" },
        { row: 4, reason: "extract_invalid" },
        { row: 5, reason: "extract_invalid" },
        { row: 6, reason: "product_missing" },
        { row: 7, reason: "score_missing" },
        { row: 8, reason: "ids_conflict" },
        { row: 9, reason: "date_in_future" },
        { row: 10, reason: "reject_reason_invalid" },
        { row: 11, reason: "id_invalid" },
        { row: 12, reason: "not_an_object" },
        { row: 13, reason: "unreadable" },
      ],
    });
    const imports = await rowsOf("select * from review_imports where client_id = $1", [client.id]);
    expect(imports).toMatchObject([{ kind: "reviews", status: "imported", read: 14, created: 1, rejected: 13 }]);
    expect(JSON.stringify([report, imports])).not.toContain(secret);
    const [{ score }] = await rowsOf("select score from reviews where client_id = $1 and external_id = 'x'", [
      client.id,
    ]);
    expect(score).toBe(1);
  });

  it("use the last of several rows that match the same review", async () => {
    const client = await aClient();
    await someReviews(client.id, [{ id: "00000000000000cc", external_id: "one", score: 5 }]);
    const report = await importText(
      client,
      lines([
        { external_id: "one", score: 4 },
        { id: "00000000000000cc", score: 3 },
      ]),
    );
    expect(counts(report)).toMatchObject({ updated: 1, rejected: [{ row: 1, reason: "doubled" }] });
  });

  it("reject rows of people who are erased during the import", async () => {
    const client = await aClient();
    await someReviews(client.id, [
      { external_id: "known", author_email: "ada@example.org", email_key: "ada@example.org" },
    ]);
    const review = { score: 4, product_id: "lamp", extract: "Bright" };
    const text = lines([
      { external_id: "known", ...review, author_email: "ada@example.org" },
      { external_id: "new", ...review, author_email: "Ada@Example.org" },
      { external_id: "other", ...review, author_email: "bo@example.org" },
      { external_id: "by-id", ...review, customer_id: "c-ada" },
    ]);
    async function* read(): AsyncGenerator<Buffer> {
      yield Buffer.from(text.slice(0, -5));
      await eraseCompletely(client.id, { by: "email", email: "ada@example.org" });
      await eraseCompletely(client.id, { by: "customer", id: "c-ada" });
      yield Buffer.from(text.slice(-5));
    }
    expect(counts(await importReviews(client.id, read()))).toEqual({
      read: 4,
      created: 1,
      updated: 0,
      unchanged: 0,
      rejected: [1, 2, 4].map((row) => ({ row, reason: "erased" })),
    });
    expect(await rowsOf("select external_id from reviews where client_id = $1", [client.id])).toEqual([
      { external_id: "other" },
    ]);
  });

  it("reject rows with an address of a customer erased by id, unless another customer has the row", async () => {
    const client = await aClient();
    for (const email of ["old@example.org", "Ada@example.org"])
      await anOrder(client.id, { id: "o-1", customer: { id: "c-ada", email } });
    const review = { score: 4, product_id: "lamp", extract: "Bright" };
    const text = lines([
      { external_id: "present", ...review, author_email: "ada@example.org" },
      { external_id: "former", ...review, author_email: "Old@example.org" },
      { external_id: "another's", ...review, author_email: "ada@example.org", customer_id: "c-bo" },
      { external_id: "nobody's", ...review, author_email: "bo@example.org" },
    ]);
    async function* read(): AsyncGenerator<Buffer> {
      yield Buffer.from(text.slice(0, -5));
      await eraseCompletely(client.id, { by: "customer", id: "c-ada" });
      yield Buffer.from(text.slice(-5));
    }
    expect(counts(await importReviews(client.id, read()))).toMatchObject({
      created: 2,
      rejected: [1, 2].map((row) => ({ row, reason: "erased" })),
    });
    expect(await rowsOf("select external_id from reviews where client_id = $1 order by 1", [client.id])).toEqual([
      { external_id: "another's" },
      { external_id: "nobody's" },
    ]);
  });

  it("are reported by a dry run, which writes nothing", async () => {
    const { client, ids } = await aShop();
    const file = path.join(folder, "rehearsed.jsonl");
    await exportReviewsTo(client.id, file);
    const rows = records(await readFile(file, "utf8"));
    rows[0]!.score = 2;
    rows.push(
      { external_id: "new", product_id: "p", score: 5 },
      { external_id: "bad" },
      { external_id: "new", product_id: "p", score: 4 },
    );
    await writeFile(file, lines(rows));
    const other = await aClient();
    for (const target of [client, other]) {
      const before = await hashDatabase();
      const simulated = await importReviewsFrom(target.id, file, { dryRun: true });
      expect(await hashDatabase()).toBe(before);
      expect(await importReviewsFrom(target.id, file)).toEqual(simulated);
      expect(simulated.rejectedCount).toBe(2);
    }
    expect(ids).toHaveLength(4);
  });

  it("are read with a byte-order mark, compressed, in UTF-16, as one JSON array, and as saved by a spreadsheet", async () => {
    const { client } = await aShop();
    const text = await exported(client);
    const csv = await exported(client, "csv");
    const list = `{"reviews": [${text.trimEnd().split("\n").join(",")}]}`;
    const { gzipSync } = await import("node:zlib");
    const semicolons = "id;external_id;accepted\r\n";
    for (const bytes of [
      Buffer.from(`\ufeff${csv}`),
      gzipSync(text),
      Buffer.from(`\ufeff${text}`, "utf16le"),
      Buffer.from(list),
      Buffer.from(
        semicolons +
          records(text)
            .map(({ id, accepted }) => `${id};;${String(accepted ?? "").toUpperCase()}\r\n`)
            .join(""),
      ),
    ]) {
      const report = await importReviews(client.id, Readable.from([bytes]));
      expect(counts(report)).toMatchObject({ read: 4, unchanged: 4 });
    }
  });

  it("are rejected as a whole if they aren't review files, and change nothing", async () => {
    const client = await aClient();
    const before = await rowsOf("select count(*) from reviews");
    for (const [text, options] of [
      ["", {}],
      ["name,price\nlamp,5\n", {}],
      ["<html><body>404</body></html>", {}],
      ["{}", { format: "csv" }],
      ["id,score\na,5\n", { format: "jsonl" }],
      ["id,score\na,5\n", { format: "loox" }],
      ['{"products": []}', {}],
      ["{\\rtf1 a letter\n}", {}],
    ] as [string, ImportReviewsOptions][]) {
      await expect(importText(client, text, options), text).rejects.toMatchObject({ code: "invalid_field" });
    }
    await expect(importReviews("nobody.example", Readable.from([Buffer.from("{}")]))).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await rowsOf("select count(*) from reviews")).toEqual(before);
    expect(
      await rowsOf("select distinct status, failed_step, created from review_imports where client_id = $1", [
        client.id,
      ]),
    ).toEqual([{ status: "failed", failed_step: "import", created: 0 }]);
  });

  it("are imported up to a truncation, which is reported", async () => {
    const client = await aClient();
    const text = lines([1, 2, 3].map((at) => ({ external_id: `e${at}`, product_id: "p", score: 5 })));
    const report = await importText(client, text.slice(0, -20));
    expect(counts(report)).toMatchObject({ created: 2, rejected: [{ row: 3, reason: "truncated" }] });
    expect(report.incomplete).toMatch(/middle of a line/);
  });

  it("keep visitors' votes over older counts, and the catalog's family and name", async () => {
    const client = await aClient();
    const [id] = await someReviews(client.id, [{ product_id: "sku", family_id: "fam", votes_up: 2 }]);
    const text = await exported(client);
    await pool().query("update reviews set votes_up = 3 where client_id = $1 and id = $2", [client.id, id]);
    await pool().query("insert into votes (client_id, review_id, voter, value) values ($1, $2, 'v', 1)", [
      client.id,
      id,
    ]);
    expect(counts(await importText(client, text))).toMatchObject({ unchanged: 1 });
    const other = await aClient();
    await importText(other, text);
    expect(counts(await importText(other, text.replace('"votes_up":2', '"votes_up":9')))).toMatchObject({ updated: 1 });
    await pool().query("insert into products (client_id, id, family_id, name) values ($1, 'sku', 'moved', 'Lamp')", [
      other.id,
    ]);
    expect(counts(await importText(other, text))).toMatchObject({ updated: 1 });
    expect(records(await exported(other))[0]).toMatchObject({ family_id: "moved", votes_up: 2 });
    expect(counts(await importText(other, text))).toMatchObject({ unchanged: 1 });
    expect(await verifySummaries()).toEqual([]);
  });

  it("are imported in smaller batches after a timeout", async () => {
    const client = await aClient();
    const text = (score: number, maxLength: number) =>
      lines(
        ["p", "p", "held", "held"]
          .slice(0, maxLength)
          .map((product_id, at) => ({ external_id: `e${at}`, product_id, score, accepted: true })),
      );
    await importText(client, text(1, 1));
    await someReviews(client.id, [{ product_id: "held", accepted: true }]);
    const holder = await pool().connect();
    try {
      await holder.query("begin");
      await holder.query("select from product_summaries where client_id = $1 and product_id = 'held' for update", [
        client.id,
      ]);
      const importing = importText(client, text(2, 4));
      // The existing review is updated, then the batch waits for a locked counter; the second row alone doesn't.
      const second = () => rowsOf("select id from reviews where client_id = $1 and external_id = 'e1'", [client.id]);
      await waitUntil(async () => (await second()).length > 0, 20_000);
      await holder.query("rollback");
      expect(counts(await importing)).toMatchObject({ read: 4, created: 3, updated: 1, unchanged: 0 });
    } finally {
      holder.release(true);
    }
    expect(await verifySummaries(client.id)).toEqual([]);
  }, 60_000);

  it("are imported once by two concurrent imports", async () => {
    const client = await aClient();
    const text = lines(
      Array.from({ length: 1_500 }, (_, at) => ({
        external_id: `e${at}`,
        product_id: `p${at % 7}`,
        score: 1 + (at % 5),
        accepted: true,
      })),
    );
    const reports = await Promise.all([importText(client, text), importText(client, text)]);
    expect(reports.map(({ created }) => created).sort()).toEqual([0, 1_500]);
    expect(reports.map(({ unchanged }) => unchanged).sort()).toEqual([0, 1_500]);
    expect(await verifySummaries()).toEqual([]);
  });
});

describe("images of our own files", () => {
  it("are skipped with a warning if unavailable, and added by a later import", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{}]);
    const { key, token } = await aPhoto(client, id, 100);
    const file = path.join(folder, "pictures.jsonl");
    await exportReviewsTo(client.id, file);
    const text = await readFile(file, "utf8");
    await removeFolder(folderOf(key));

    const other = await aClient();
    const without = await importText(other, text);
    expect(without.warnings).toEqual([{ row: 1, field: "images", reason: "missing" }]);
    expect(records(await exported(other))[0]).toMatchObject({ images: [] });
    const later = await importReviewsFrom(other.id, file);
    expect(counts(later)).toMatchObject({ updated: 1 });
    expect(later.warnings).toEqual([]);
    expect(await exported(other)).toBe(text);

    // A broken file with that name isn't an image.
    await writeFile(path.join(`${file}.images`, `${token}.jpg`), "no picture");
    const third = await aClient();
    expect((await importReviewsFrom(third.id, file)).warnings).toMatchObject([{ reason: "unreadable" }]);
    expect(await rowsOf("select from uploads where client_id = $1", [third.id])).toEqual([]);
  });

  it("are copied byte for byte from this installation if there is no folder beside the file", async () => {
    const { client } = await aShop();
    const text = await exported(client);
    const isolatedReport = await importText(await aClient(), text, { imageSources: {} });
    expect(isolatedReport.warnings.map(({ reason }) => reason)).toEqual(["missing", "missing", "missing"]);
    const other = await aClient();
    expect((await importText(other, text)).warnings).toEqual([]);
    expect(await exported(other)).toBe(text);
    const stored = (of: TestClient) =>
      rowsOf("select token, key, format, claimed_at from uploads where client_id = $1 order by token", [of.id]);
    const [ours, theirs] = [await stored(client), await stored(other)];
    expect(theirs.map(({ token }) => token)).toEqual(ours.map(({ token }) => token));
    for (const [at, { key, format, claimed_at }] of theirs.entries()) {
      expect(claimed_at).not.toBeNull();
      expect(key).not.toBe(ours[at]!.key);
      for (const name of ["original", "icon", "medium", "large"] as const) {
        const bytes = (of: string) =>
          readFile(path.join(env().DATA_DIR, "images", folderOf(of), fileName(name, format)));
        expect(await bytes(key)).toEqual(await bytes(ours[at]!.key));
      }
    }
  });

  it("are stored again after an import that died before writing, with complete or incomplete files", async () => {
    const { client } = await aShop();
    const text = await exported(client);
    const other = await aClient();
    const tokens = records(text).flatMap(({ images }) => (images as StoredImage[]).map(({ token }) => token));
    const [whole, half] = tokens as [string, string];
    // What the dead import had stored.
    for (const token of [whole, half]) await copyUpload(other, (await findUpload(other, token)) as StoredImage);
    const [{ key, format }] = await rowsOf("select key, format from uploads where client_id = $1 and token = $2", [
      other.id,
      half,
    ]);
    await rm(path.join(env().DATA_DIR, "images", folderOf(key), fileName("large", format)));
    expect((await importText(other, text)).warnings).toEqual([]);
    expect(await exported(other)).toBe(text);
    expect(existsSync(path.join(env().DATA_DIR, "images", folderOf(key)))).toBe(false);
  });

  it("belong to one review: a second row with the same image is imported without it", async () => {
    const { client } = await aShop();
    const rows = records(await exported(client));
    const holder = rows.find(({ images }) => (images as object[]).length === 1)!;
    const other = await aClient();
    const copy = { ...holder, id: newReviewId(), external_id: "copy" };
    const report = await importText(other, lines([holder, copy]));
    expect(counts(report)).toMatchObject({ created: 2 });
    expect(report.warnings).toEqual([{ row: 2, field: "images", reason: "doubled" }]);
    expect((await importText(other, lines([{ ...copy, external_id: "again", id: newReviewId() }]))).warnings).toEqual([
      { row: 1, field: "images", reason: "taken" },
    ]);
    expect(
      records(await exported(other))
        .map(({ images }) => (images as object[]).length)
        .sort(),
    ).toEqual([0, 0, 1]);
  });

  it("can't be read from outside the folder", async () => {
    const client = await aClient();
    for (const token of ["../../etc/passwd", "..%2f", newUploadToken().toUpperCase()]) {
      const report = await importText(
        client,
        lines([{ external_id: "e", product_id: "p", score: 5, images: [{ token }] }]),
      );
      expect(counts(report)).toMatchObject({ rejected: [{ row: 1, reason: "images_invalid" }] });
    }
    expect(existsSync(path.join(folder, "etc"))).toBe(false);
  });
});

describe("seller reviews and questions", () => {
  it("are exported with their replies, answers and photos, in both formats", async () => {
    const client = await aClient();
    await pool().query(
      `insert into seller_reviews (client_id, id, source, author, score, extract, date, feedback_token, accepted, accepted_at)
       values ($1, 'a1b2c3d4e5f60718', 'invitation', '=Ann', 4, 'Quick.', '2026-01-02', $1 || 's', true, '2026-01-03T00:00:00.123Z')`,
      [client.id],
    );
    await pool().query(
      `insert into responses (client_id, id, kind, subject_id, author, extract, date) values ($1, 'rsp_s', 'seller_review', 'a1b2c3d4e5f60718', 'Us', 'Thanks', '2026-01-04')`,
      [client.id],
    );
    await pool().query(
      `insert into questions (client_id, id, source, product_id, author, question, date, feedback_token, answers_given)
       values ($1, '00000000000000aa', 'web', 'p', 'Bo', 'Does it glow?', '2026-01-05', $1 || 'q', '{"size":"L"}')`,
      [client.id],
    );
    await pool().query(
      `insert into answers (client_id, id, question_id, author, answer, date, accepted, accepted_at) values ($1, 'a', '00000000000000aa', 'Us', 'It does.', '2026-01-06', true, now())`,
      [client.id],
    );
    const text = async (kind: ExportKind, format: ExportFormat) =>
      (await Array.fromAsync(exportReviews(client.id, { kind, format }))).join("");
    const seller = await text("seller_reviews", "jsonl");
    expect(records(seller)).toEqual([
      expect.objectContaining({
        id: "a1b2c3d4e5f60718",
        author: "=Ann",
        score: 4,
        accepted_at: "2026-01-03T00:00:00.123Z",
        responses: [expect.objectContaining({ author: "Us", extract: "Thanks" })],
        images: [],
      }),
    ]);
    expect(records(await text("questions", "jsonl"))).toEqual([
      expect.objectContaining({
        product_id: "p",
        question: "Does it glow?",
        custom_questions: { size: "L" },
        answers: [expect.objectContaining({ answer: "It does.", accepted: true })],
      }),
    ]);
    expect(await text("seller_reviews", "csv")).toMatch(/^id,author,.*\na1b2c3d4e5f60718,"'=Ann",/);
    expect((await text("questions", "csv")).split("\n")[0]).toContain("question,details,custom_questions");
  });

  /** Items with every field, replies and answers with equal times, text that CSV has to escape, and a photo. */
  async function withItems() {
    const client = await aClient();
    const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#a33" } })
      .png()
      .toBuffer();
    const photoOf = async (kind: "seller_review" | "question", id: string) => {
      const { token } = await storeUpload(client.client, new Blob([new Uint8Array(bytes)]));
      return JSON.stringify(await claimUploads(pool(), client.client, [token], { kind, id }));
    };
    for (const [id, accepted, reason] of [
      ["a1b2c3d4e5f60718", true, null],
      ["a1b2c3d4e5f60719", false, "spam"],
      ["a1b2c3d4e5f60720", null, null],
    ])
      await pool().query(
        `insert into seller_reviews (client_id, id, source, author, author_email, email_key, score, title, extract, answers, lang, date, order_id,
           customer_id, verified_buyer, verified_email, incentivized, terms_agreed_at, terms_version, votes_up, votes_down, feedback_token, accepted, accepted_at, reject_reason)
         values ($1, $2, 'invitation', '=Ann', 'Ann@x.example', 'ann@x.example', 4, 'Fast; "good"', E'Quick,\n''kind''.', '{"size":"L","tags":["a","b"]}',
           'en', '2026-01-02', 'o-1', 'c-1', true, true, $3 is true, '2026-01-02T10:00:00.001Z', 'v2', 3, 1, $1 || $2, $3, case when $3 then '2026-01-03T00:00:00.123Z'::timestamptz end, $4)`,
        [client.id, id, accepted, reason],
      );
    await pool().query(
      `insert into responses (client_id, id, kind, subject_id, author, extract, lang, date, created_at, updated_at)
       select $1, 'rsp_' || 30 - n, 'seller_review', 'a1b2c3d4e5f60718', 'Us', 'Thanks ' || n, 'en', '2026-01-04', '2026-01-04T08:00:00Z', '2026-01-05T08:00:00.007Z'
         from generate_series(1, 20) n`,
      [client.id],
    );
    for (const [id, accepted, reason] of [
      ["00000000000000aa", true, null],
      ["00000000000000ab", false, "unspecified"],
      ["00000000000000ac", null, null],
    ])
      await pool().query(
        `insert into questions (client_id, id, source, product_id, family_id, product_name, product_url, author, author_email, email_key, question, details,
           lang, date, feedback_token, answers_given, customer_id, mail_answer, verified_email, votes_up, accepted, accepted_at, reject_reason)
         values ($1, $2, 'web', 'p', 'f', 'Lamp', 'https://shop.example/p', 'Bo', 'bo@x.example', 'bo@x.example', 'Does it glow?', E'At\tnight', null, '2026-01-05', $1 || $2,
           '{"size":"L"}', 'c-2', true, false, 2, $3, case when $3 then '2026-01-06T00:00:00Z'::timestamptz end, $4)`,
        [client.id, id, accepted, reason],
      );
    await pool().query(
      `insert into answers (client_id, id, question_id, author, from_seller, answer, lang, date, accepted, accepted_at, reject_reason, created_at, updated_at)
       select $1, 'ans_' || 30 - n, '00000000000000aa', 'Us', n % 2 = 0, 'It does ' || n, 'en', '2026-01-06', case n when 1 then null when 2 then false else true end,
              case when n > 2 then now() end, case n when 2 then 'spam' end, '2026-01-06T08:00:00Z', '2026-01-06T09:00:00Z'
         from generate_series(1, 20) n`,
      [client.id],
    );
    await pool().query("update seller_reviews set images = $2 where client_id = $1 and id = 'a1b2c3d4e5f60718'", [
      client.id,
      await photoOf("seller_review", "a1b2c3d4e5f60718"),
    ]);
    await pool().query("update questions set images = $2 where client_id = $1 and id = '00000000000000aa'", [
      client.id,
      await photoOf("question", "00000000000000aa"),
    ]);
    return client;
  }

  it.each([
    ["seller_reviews", "jsonl"],
    ["seller_reviews", "csv"],
    ["questions", "jsonl"],
    ["questions", "csv"],
  ] as const)("%s come back unchanged from %s, once", async (kind, format) => {
    const text = async (clientId: string) =>
      (await Array.fromAsync(exportReviews(clientId, { kind, format }))).join("");
    const file = await text((await withItems()).id);
    const other = await aClient();
    expect(counts(await importText(other, file, { dryRun: true }))).toMatchObject({ created: 3, rejected: [] });
    expect(await rowsOf(`select from ${kind} where client_id = $1`, [other.id])).toEqual([]);
    const report = await importText(other, file);
    expect([counts(report), report.warnings]).toEqual([
      { read: 3, created: 3, updated: 0, unchanged: 0, rejected: [] },
      [],
    ]);
    expect(await text(other.id)).toBe(file);
    expect(counts(await importText(other, file))).toMatchObject({ created: 0, unchanged: 3 });
    expect(await text(other.id)).toBe(file);
    await verifySummaries(other.id);
    const single = kind === "questions" ? "question" : "seller_review";
    expect(
      await rowsOf(
        "select subject_id, to_state from moderation_events where client_id = $1 and kind = $2 and action = 'imported' order by 1",
        [other.id, single],
      ),
    ).toHaveLength(3);
    expect(
      await rowsOf("select count(*)::int from uploads where client_id = $1 and subject_kind = $2", [other.id, single]),
    ).toEqual([{ count: 1 }]);
    expect(await rowsOf("select kind, status, created from review_imports where client_id = $1", [other.id])).toEqual([
      { kind, status: "imported", created: 3 },
      { kind, status: "imported", created: 0 },
    ]);
  });

  it("are skipped row by row if they are invalid, about erased people, or doubled", async () => {
    const client = await aClient();
    const good = { score: 5, customer_id: null };
    const report = await importText(
      client,
      lines([
        { id: "00000000000000a1", ...good },
        { id: "00000000000000a1", ...good, score: 4 },
        { id: "x", ...good },
        { id: "00000000000000a2", ...good, score: 6 },
        { id: "00000000000000a3", customer_id: null, author: "Ann" },
        { id: "00000000000000a4", ...good, date: "2999-01-01" },
        { score: 3, customer_id: null },
        { id: "00000000000000a5", ...good, responses: [{ author: "Us" }] },
      ]),
    );
    expect(counts(report)).toEqual({
      read: 8,
      created: 1,
      updated: 0,
      unchanged: 0,
      rejected: [
        { row: 1, reason: "doubled" },
        { row: 3, reason: "id_invalid" },
        { row: 4, reason: "score_invalid" },
        { row: 5, reason: "score_missing" },
        { row: 6, reason: "date_in_future" },
        { row: 7, reason: "id_missing" },
        { row: 8, reason: "responses_invalid" },
      ],
    });
    expect(await rowsOf("select score from seller_reviews where client_id = $1", [client.id])).toEqual([{ score: 4 }]);
    const question = { id: "00000000000000b1", question: "Does it glow?", product_id: "p", answers: null };
    expect(counts(await importText(client, lines([question, { id: "00000000000000b2", question: "" }])))).toMatchObject(
      {
        created: 1,
        rejected: [{ row: 2, reason: "question_invalid" }],
      },
    );
  });

  it("can have hundreds of answers", async () => {
    const client = await aClient();
    const answers = Array.from({ length: 300 }, (_, n) => ({ author: "Ann", date: "2026-01-02", answer: `Yes ${n}` }));
    const question = { id: "00000000000000c1", question: "Does it glow?", product_id: "p", answers };
    expect(counts(await importText(client, lines([question])))).toMatchObject({ created: 1, rejected: [] });
    const stored = await rowsOf("select answer from answers where client_id = $1 order by id", [client.id]);
    expect(stored.map(({ answer }) => answer)).toEqual(answers.map(({ answer }) => answer));
  });

  it("aren't made of rows about a product", async () => {
    const client = await aClient();
    const seller = { id: "00000000000000d1", score: 5, customer_id: null };
    const product = { ...seller, id: "00000000000000d2", product_id: "p" };
    expect(counts(await importText(client, lines([seller, product])))).toMatchObject({
      created: 1,
      rejected: [{ row: 2, reason: "product_review" }],
    });
  });

  it("in CSV need all their columns: fewer are a part of reviews", async () => {
    const client = await aClient();
    const [id] = await someReviews(client.id, [{ score: 2 }]);
    const report = await importText(client, `id,score,customer_id\n${id},4,c-1\n`);
    expect(counts(report)).toMatchObject({ updated: 1, rejected: [] });
    expect(await rowsOf("select score, customer_id from reviews where client_id = $1", [client.id])).toEqual([
      { score: 4, customer_id: "c-1" },
    ]);
  });
});
