import { readFile as readFixture } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as uploadImport from "@/app/portal/api/v1/feed_uploads/[id]/import/route";
import * as uploadPart from "@/app/portal/api/v1/feed_uploads/[id]/parts/[part]/route";
import * as uploads from "@/app/portal/api/v1/feed_uploads/route";
import * as oneImport from "@/app/portal/api/v1/imports/[id]/route";
import * as run from "@/app/portal/api/v1/imports/[id]/run/route";
import * as skipped from "@/app/portal/api/v1/imports/[id]/skipped/route";
import * as undo from "@/app/portal/api/v1/imports/[id]/undo/route";
import * as imports from "@/app/portal/api/v1/imports/route";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { purgeUploads } from "@/lib/feeds/upload-feed";
import { transaction } from "@/lib/platform/db/pool";
import { readFile } from "@/lib/platform/storage/files";
import { call } from "@/lib/tools/test/call";
import { waitUntil } from "@/lib/tools/test/engines";
import { eraseCompletely } from "@/lib/tools/test/erase";
import {
  aClient,
  aMember,
  aResponse,
  hashDatabase,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";
import { exportReviews } from "@/lib/transfer/export-reviews";
import { importReviews } from "@/lib/transfer/import-reviews";
import { getReviewImportDetails, listReviewImports } from "@/lib/transfer/imports/list-review-imports";
import { previewImport } from "@/lib/transfer/imports/prepare-import";
import { failStep, purgeImportItems, purgeReviewImports } from "@/lib/transfer/imports/records";
import { runStep } from "@/lib/transfer/imports/run-step";
import type { ImportStep } from "@/lib/transfer/imports/values";

// Imports in the portal: from the upload to undoing it. What files contain is tested in `foreign-files.db.test.ts`.

let client: TestClient;
let headers: Record<string, string>;

const at = (path: string) => `/portal/api/v1/${path}?client_id=${client.id}`;

async function use(store: TestClient) {
  client = store;
  ({ headers } = await aMember(client, "admin"));
}
beforeEach(async () => use(await aClient()));

async function uploaded(bytes: string | Uint8Array, filename = "reviews.csv"): Promise<string> {
  const { json } = await call(uploads, "POST", at("feed_uploads"), { body: { kind: "reviews", filename }, headers });
  const form = new FormData();
  form.set("file", new Blob([bytes as BlobPart]));
  await call(uploadPart, "PUT", at(`feed_uploads/${json.data.id}/parts/0`), { body: form, headers });
  return json.data.id;
}
const prepare = (upload_id: string) => call(imports, "POST", at("imports"), { body: { upload_id, parts: 1 }, headers });
async function prepared(bytes: string | Uint8Array, filename?: string): Promise<string> {
  const answer = await prepare(await uploaded(bytes, filename));
  expect(answer.status, answer.text).toBe(201);
  return answer.json.data.id;
}
const request = (id: string, step: ImportStep) =>
  call(run, "POST", at(`imports/${id}/run`), { body: { step }, headers });
const get = async (id: string) => (await call(oneImport, "GET", at(`imports/${id}`), { headers })).json.data;
const change = (id: string, body: object) =>
  call(oneImport, "PUT", at(`imports/${id}`), {
    body: { mapping: {}, pending: false, fetch_photos: false, ...body },
    headers,
  });

/** Requests a step and runs its job. */
async function does(id: string, ...steps: ImportStep[]) {
  for (const step of steps) {
    const answer = await request(id, step);
    expect(answer.status, answer.text).toBe(200);
    await runStep(client.id, id, step);
  }
  return get(id);
}

const fixture = (name: string) => readFixture(path.join(import.meta.dirname, "..", "fixtures", `${name}.csv`));
const row = (n: number, rest = "") => `Great,Works well ${n},5,2025-02-13,Ann ${n},ann${n}@x.example,lamp,${rest}`;
const judgeme = (...rows: string[]) =>
  `title,body,rating,review_date,reviewer_name,reviewer_email,product_id,reply\n${rows.join("\n")}\n`;
const reviewTexts = async () =>
  (await rowsOf("select extract from reviews where client_id = $1 order by extract", [client.id])).map(
    ({ extract }) => extract,
  );

/** Everything about the client that an undo must restore. Rows of summaries that became zero stay. */
async function contents() {
  const tables = ["reviews", "seller_reviews", "questions", "answers", "responses", "votes", "flags", "review_facets"];
  const all = await Promise.all(
    tables.map((table) => rowsOf(`select t.* from ${table} t where client_id = $1 order by t::text`, [client.id])),
  );
  const summaries = await rowsOf(
    `select product_id, count, sum, c1, c2, c3, c4, c5, question_count from product_summaries where client_id = $1 and (count > 0 or question_count > 0) order by 1`,
    [client.id],
  );
  const sellers = await rowsOf("select count, sum from seller_summaries where client_id = $1 and count > 0", [
    client.id,
  ]);
  const counts = await rowsOf(
    "select date, source, score, accepted, sum(count)::int from review_counts where client_id = $1 group by 1, 2, 3, 4 having sum(count) <> 0 order by 1, 2, 3, 4",
    [client.id],
  );
  const claimed = await rowsOf("select token from uploads where client_id = $1 and claimed_at is not null", [
    client.id,
  ]);
  return { all, summaries, sellers, counts, claimed };
}

describe("an uploaded file of reviews", () => {
  it.each(["judgeme", "opinew", "yotpo", "loox", "okendo", "shopify", "powerreviews", "feefo", "woocommerce"])(
    "of %s is recognized, checked without a change, imported and undone",
    async (name) => {
      await someProducts(client.id, [{ id: "lamp" }]);
      await someReviews(client.id, [{ product_id: "lamp", accepted: true, score: 4 }]);
      const id = await prepared(await fixture(name));
      expect(await get(id)).toMatchObject({ layout: name, kind: "reviews", status: "uploaded", has_file: true });
      const preview = await previewImport(client.client, id);
      expect(preview?.fields?.score).not.toBeNull();
      expect(preview?.rows.some(({ reason, score }) => reason === null && score !== null)).toBe(true);

      const before = await contents();
      const checked = await does(id, "check");
      expect(checked).toMatchObject({ status: "checked", error: null });
      expect(checked.created).toBeGreaterThan(0);
      const { report } = await getReviewImportDetails(client, id);
      expect(await contents()).toEqual(before);

      const done = await does(id, "import");
      for (const count of ["read", "created", "updated", "unchanged", "rejected"])
        expect(done[count]).toBe(checked[count]);
      expect(done).toMatchObject({ status: "imported", has_file: false, can_undo: true });
      const [{ count }] = await rowsOf("select count(*)::int from reviews where client_id = $1 and source = 'import'", [
        client.id,
      ]);
      expect([report?.items, (await getReviewImportDetails(client, id)).report?.items]).toEqual([count, count]);
      expect(await rowsOf("select from reviews where client_id = $1 and source = 'import'", [client.id])).not.toEqual(
        [],
      );
      await verifySummaries(client.id);

      expect(await does(id, "undo")).toMatchObject({ status: "undone", can_undo: false });
      expect(await contents()).toEqual(before);
      await verifySummaries(client.id);
    },
  );

  it("changes nothing else when it is checked", async () => {
    const id = await prepared(judgeme(row(1)));
    await request(id, "check");
    const rest = () =>
      rowsOf(
        "select (select count(*) from reviews) as reviews, (select count(*) from outbox) as events, (select count(*) from moderation_events) as history, (select count(*) from uploads) as uploads, (select count(*) from review_import_items) as items",
      );
    const before = await rest();
    await runStep(client.id, id, "check");
    expect(await rest()).toEqual(before);
  });

  it("is deleted if too many others wait", async () => {
    const waiting = await prepared(judgeme(row(1)));
    await rowsOf(
      `insert into review_imports (client_id, id, kind, layout, filename, parts, status)
       select $1, 'imp_' || n, 'reviews', 'csv', 'a.csv', 1, 'uploaded' from generate_series(1, 19) n`,
      [client.id],
    );
    const upload = await uploaded(judgeme(row(2)));
    expectError(await prepare(upload), 409, "conflict");
    expect(await readFile(`feeds/${upload}/0`)).toBeNull();
    expect(await rowsOf("select import_id from feed_uploads where client_id = $1", [client.id])).toEqual([
      { import_id: waiting },
    ]);
  });

  it("can be compressed, and in another encoding", async () => {
    for (const bytes of [
      gzipSync(judgeme(row(1))),
      Buffer.from(`\ufeff${judgeme(row(2))}`, "utf16le"),
      Buffer.from(judgeme(row(3).replace("Works", "Größe")), "latin1"),
    ])
      expect(await does(await prepared(bytes), "check", "import")).toMatchObject({ layout: "judgeme", created: 1 });
    expect(await reviewTexts()).toEqual(["Größe well 3", "Works well 1", "Works well 2"]);
  });

  it("prepares one import, however often it is requested", async () => {
    const upload = await uploaded(judgeme(row(1)));
    const answers = await Promise.all([prepare(upload), prepare(upload), prepare(upload)]);
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1);
    expect((await listReviewImports(client)).imports).toHaveLength(1);
    expectError(
      await call(uploadImport, "POST", at(`feed_uploads/${upload}/import`), { body: { parts: 1 }, headers }),
      404,
      "not_found",
    );
  });

  it.each([
    ["empty", "", "file_empty"],
    ["binary", Buffer.from("%PDF-1.7 and more"), "file_is_pdf"],
    ["of zero bytes", Buffer.alloc(2_000), null],
    ["HTML", "<html><body>Sign in</body></html>", "file_is_markup"],
    ["without columns", "hello\nworld\n", null],
    ["JSON of something else", '{"products": []}', null],
    ["a spreadsheet", Buffer.from("\xd0\xcf\x11\xe0 and more", "latin1"), "file_is_excel"],
  ])("is rejected and deleted if it is %s", async (_, bytes, reason) => {
    const upload = await uploaded(bytes);
    const answer = await prepare(upload);
    expectError(answer, 422, "invalid_field");
    if (reason) expect(answer.json.errors[0].reason).toBe(reason);
    expect(await rowsOf("select from review_imports where client_id = $1", [client.id])).toEqual([]);
    expect(await rowsOf("select from feed_uploads where client_id = $1", [client.id])).toEqual([]);
    expect(await readFile(`feeds/${upload}/0`)).toBeNull();
  });

  it("reports an unclosed quote and huge cells, and imports the rest", async () => {
    const huge = "x".repeat(70_000);
    const id = await prepared(judgeme(row(1), row(2).replace("Works well 2", huge), row(3), `Bad,"Open,5,2025-02-13`));
    const { created, rejected } = await does(id, "check", "import");
    expect(created).toBe(2);
    expect(rejected).toBe(2);
    const { report } = await getReviewImportDetails(client, id);
    expect(report?.reasons.extract_invalid).toBe(1);
    expect(report?.incomplete).not.toBeNull();
    expect(await reviewTexts()).toEqual(["Works well 1", "Works well 3"]);
  });
});

describe("photos", () => {
  const warnings = async (id: string) => (await getReviewImportDetails(client.client, id)).report?.warnings;

  it("that can't be downloaded are reported by row, and their reviews are imported without them", async () => {
    const id = await prepared(
      "title,body,rating,review_date,reviewer_name,reviewer_email,product_id,picture_urls\n" +
        [1, 2].map((n) => row(n, n === 2 ? "http://127.0.0.1:9/lamp.jpg" : "")).join("\n"),
    );
    await change(id, { fetch_photos: true });
    expect(await does(id, "check", "import")).toMatchObject({ created: 2, rejected: 0 });
    expect(await warnings(id)).toEqual([{ row: 2, field: "images", reason: "not_fetched" }]);
  });

  it("of our own exports aren't in the file, which the check reports by row as well", async () => {
    const own = { product_id: "lamp", score: 5, author: "Ann", extract: "Bright", date: "2026-01-02" };
    const lines = ["a", "b"].map((letter, index) => ({
      ...{ id: letter.repeat(16), ...own },
      images: index === 1 ? [{ token: letter.repeat(32), format: "webp", width: 9, height: 9 }] : [],
    }));
    const id = await prepared(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), "reviews.jsonl");
    expect(await get(id)).toMatchObject({ layout: "jsonl" });
    const missing = [{ row: 2, field: "images", reason: "missing" }];
    expect(await does(id, "check")).toMatchObject({ created: 2, rejected: 0 });
    expect(await warnings(id)).toEqual(missing);
    expect(await does(id, "import")).toMatchObject({ created: 2, rejected: 0 });
    expect(await warnings(id)).toEqual(missing);
    expect(await reviewTexts()).toEqual(["Bright", "Bright"]);
  });
});

describe("columns", () => {
  const other = "When;Stars given;Words;Item;Who\n2026-01-02;4;Nice lamp;lamp;Ann\n2026-01-03;2;Broke;lamp;Bo\n";

  it("of an unknown service are assigned by a person", async () => {
    const id = await prepared(other);
    expect(await get(id)).toMatchObject({ layout: "other", status: "uploaded" });
    const guess = await previewImport(client.client, id);
    expect(guess?.columns.map(({ name, samples }) => [name, samples[0]])).toEqual([
      ["when", "2026-01-02"],
      ["stars_given", "4"],
      ["words", "Nice lamp"],
      ["item", "lamp"],
      ["who", "Ann"],
    ]);
    expect(guess?.rows.map(({ reason }) => reason)).toEqual(["score_missing", "score_missing"]);
    expect(await does(id, "check")).toMatchObject({ created: 0, rejected: 2 });

    const mapping = { score: "stars_given", product: "item", extract: "words", author: "who", date: "when" };
    expect((await change(id, { mapping, pending: true })).json.data).toMatchObject({
      status: "uploaded",
      pending: true,
    });
    expect((await previewImport(client.client, id))?.rows[0]).toEqual({
      row: 1,
      reason: null,
      score: 4,
      title: null,
      text: "Nice lamp",
      author: "Ann",
      date: "2026-01-02",
      status: "pending",
      product: "lamp",
      in_catalog: false,
      replies: 0,
      photos: 0,
    });
    expectError(await request(id, "import"), 409, "conflict");
    expect(await does(id, "check", "import")).toMatchObject({ created: 2, rejected: 0 });
    expect(
      await rowsOf("select author, score, accepted, product_id from reviews where client_id = $1 order by score", [
        client.id,
      ]),
    ).toEqual([
      { author: "Bo", score: 2, accepted: null, product_id: "lamp" },
      { author: "Ann", score: 4, accepted: null, product_id: "lamp" },
    ]);
  });

  it("with some names of our own files can be assigned too", async () => {
    const id = await prepared(
      "id,sku,stars,title,text,author,date\n7,lamp,5,Great,Works well,Ann,2026-01-02\n8,lamp,4,Good,It glows,Bo,2026-01-03\n",
    );
    expect(await get(id)).toMatchObject({ layout: "other", kind: "reviews" });
    expect((await previewImport(client.client, id))?.fields).toMatchObject({
      product: "sku",
      score: "stars",
      extract: "text",
      author: "author",
      id: null,
    });
    await change(id, { mapping: { id: "id" } });
    expect(await does(id, "check", "import")).toMatchObject({ created: 2, rejected: 0 });
    expect(
      await rowsOf("select external_id, score, extract from reviews where client_id = $1 order by 1", [client.id]),
    ).toEqual([
      { external_id: "other:7", score: 5, extract: "Works well" },
      { external_id: "other:8", score: 4, extract: "It glows" },
    ]);
  });

  it("of a known service can be changed, and left out", async () => {
    const id = await prepared(judgeme(row(1)));
    await does(id, "check");
    await change(id, { mapping: { title: null, author: "title" } });
    expect(await get(id)).toMatchObject({ status: "uploaded", read: 0, created: 0 });
    expect((await getReviewImportDetails(client, id)).report).toBeNull();
    await does(id, "check", "import");
    expect(await rowsOf("select title, author from reviews where client_id = $1", [client.id])).toEqual([
      { title: null, author: "Great" },
    ]);
  });

  it("must be in the file, and can't be changed once it is imported", async () => {
    const id = await prepared(judgeme(row(1)));
    const before = await hashDatabase();
    expectError(await change(id, { mapping: { score: "nothing" } }), 422, "invalid_field");
    expectError(await change(id, { mapping: { anything: "title" } }), 422, "invalid_field");
    expect(await hashDatabase()).toBe(before);
    await does(id, "check", "import");
    expectError(await change(id, {}), 409, "conflict");
    expectError(await call(oneImport, "DELETE", at(`imports/${id}`), { headers }), 409, "conflict");
  });
});

describe("an import", () => {
  it("lists skipped rows with their reasons", async () => {
    const id = await prepared(judgeme(row(1), row(1), row(2).replace(",5,", ",9,"), row(3).replace("2025", "2999")));
    await does(id, "check");
    expect((await getReviewImportDetails(client, id)).report).toMatchObject({
      reasons: { doubled: 1, score_invalid: 1, date_in_future: 1 },
    });
    const csv = await call(skipped, "GET", at(`imports/${id}/skipped`), { headers });
    expect(csv.text).toBe("row,reason\n1,doubled\n3,score_invalid\n4,date_in_future\n");
    expect(csv.headers.get("content-disposition")).toContain("skipped-rows.csv");
  });

  it("leaves existing reviews unchanged, so undoing it leaves them too", async () => {
    const first = await prepared(judgeme(row(1)));
    await does(first, "check", "import");
    // Its open appeal is nothing to warn of, since the import changes nothing of it.
    await rowsOf(
      `with pending as (update reviews set accepted = null, accepted_at = null, decided_at = null where client_id = $1 returning id)
       insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state)
       select $1, 'review', id, 'author', 'appealed', 'rejected', 'pending' from pending`,
      [client.id],
    );
    const before = await contents();
    const second = await prepared(judgeme(row(1).replace("Great", "Better"), row(2)));
    expect(await does(second, "check")).toMatchObject({ created: 1, updated: 0, unchanged: 1 });
    expect(await does(second, "import")).toMatchObject({ created: 1, updated: 0, unchanged: 1 });
    expect((await getReviewImportDetails(client.client, second)).report?.warnings).toEqual([]);
    expect(await reviewTexts()).toEqual(["Works well 1", "Works well 2"]);
    await does(second, "undo");
    expect(await contents()).toEqual(before);
    await does(first, "undo");
    expect(await reviewTexts()).toEqual([]);
  });

  it("doesn't take with it what a later import created again", async () => {
    const [source, counts] = [
      await aClient(),
      async (id: string) => (await call(undo, "GET", at(`imports/${id}/undo`), { headers })).json.data.items,
    ];
    await someReviews(source.id, [{ accepted: true }, { accepted: true }]);
    const file = (await Array.fromAsync(exportReviews(source.id, { kind: "reviews", format: "csv" }))).join("");
    const first = await prepared(file);
    await does(first, "check", "import");
    await rowsOf(
      "delete from reviews where client_id = $1 and id = (select min(id) from reviews where client_id = $1)",
      [client.id],
    );
    const second = await prepared(file);
    expect(await does(second, "check", "import")).toMatchObject({ created: 1, unchanged: 1 });
    expect([await counts(first), await counts(second)]).toEqual([1, 1]);
    const left = async () => (await rowsOf("select from reviews where client_id = $1", [client.id])).length;
    expect(await does(first, "undo")).toMatchObject({ status: "undone" });
    expect(await left()).toBe(1);
    expect(await rowsOf("select from review_import_items where import_id = $1", [first])).toEqual([]);
    await does(second, "undo");
    expect(await left()).toBe(0);
  });

  it("of the same file twice at once doubles nothing", async () => {
    const ids = [await prepared(judgeme(row(1), row(2))), await prepared(judgeme(row(1), row(2)))];
    for (const id of ids) await does(id, "check");
    for (const id of ids) await request(id, "import");
    await Promise.all(ids.flatMap((id) => [runStep(client.id, id, "import"), runStep(client.id, id, "import")]));
    const made = await Promise.all(ids.map(get));
    expect(made.map(({ status }) => status)).toEqual(["imported", "imported"]);
    expect(made.map(({ created }) => created).sort()).toEqual([0, 2]);
    expect(await reviewTexts()).toHaveLength(2);
    for (const id of ids) await does(id, "undo");
    expect(await reviewTexts()).toEqual([]);
  });

  it("continues after it was killed, without doubling anything", { timeout: 60_000 }, async () => {
    const rows = Array.from({ length: 1_100 }, (_, n) => row(n, "Thank you"));
    const id = await prepared(judgeme(...rows));
    await does(id, "check");
    await request(id, "import");
    // Its second batch can't be written: what was committed before stays, as after a crash.
    await rowsOf(`create function fails() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
    await rowsOf(
      "create trigger fails before insert on reviews for each row when (new.extract = 'Works well 1050') execute function fails()",
    );
    try {
      await expect(runStep(client.id, id, "import")).rejects.toThrow();
    } finally {
      await rowsOf("drop trigger fails on reviews");
      await rowsOf("drop function fails()");
    }
    expect(await get(id)).toMatchObject({ status: "failed", failed_step: "import", has_file: true, can_undo: true });
    expect(await reviewTexts()).toHaveLength(1_000);
    expect(await does(id, "import")).toMatchObject({ status: "imported", read: 1_100, created: 1_100, unchanged: 0 });
    expect(
      await rowsOf("select count(*)::int, count(distinct extract)::int as texts from reviews where client_id = $1", [
        client.id,
      ]),
    ).toEqual([{ count: 1_100, texts: 1_100 }]);

    // Killed without a trace: the status stays, and shows as stalled.
    await request(id, "undo");
    await rowsOf("update review_imports set touched_at = now() - interval '3 minutes' where id = $1", [id]);
    expect(await get(id)).toMatchObject({ status: "undoing", stalled: true });
    expect(await does(id, "undo")).toMatchObject({ status: "undone" });
    expect(await reviewTexts()).toEqual([]);
    expect(await rowsOf("select from responses where client_id = $1", [client.id])).toEqual([]);
    await verifySummaries(client.id);
  });

  it("is undone only in part if undoing is interrupted, and then completely", async () => {
    const rows = Array.from({ length: 250 }, (_, n) => row(n));
    const id = await prepared(judgeme(...rows));
    await does(id, "check", "import");
    await request(id, "undo");
    await rowsOf(`create function fails() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
    const [{ last }] = await rowsOf("select max(id) as last from reviews where client_id = $1", [client.id]);
    await rowsOf(
      `create trigger fails before delete on reviews for each row when (old.id = '${last}') execute function fails()`,
    );
    try {
      await expect(runStep(client.id, id, "undo")).rejects.toThrow();
    } finally {
      await rowsOf("drop trigger fails on reviews");
      await rowsOf("drop function fails()");
    }
    expect(await get(id)).toMatchObject({ status: "failed", failed_step: "undo" });
    expect(await reviewTexts()).toHaveLength(50);
    expect(await does(id, "undo")).toMatchObject({ status: "undone" });
    expect(await reviewTexts()).toEqual([]);
  });

  it("starts each step once, and skips jobs that are no longer wanted", async () => {
    const id = await prepared(judgeme(row(1)));
    const answers = await Promise.all([request(id, "check"), request(id, "check"), request(id, "check")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const events = () => rowsOf("select from outbox where client_id = $1 and name = 'import/requested'", [client.id]);
    expect(await events()).toHaveLength(1);
    await runStep(client.id, id, "check");
    expectError(await request(id, "undo"), 409, "conflict");
    await does(id, "import");
    expectError(await request(id, "import"), 409, "conflict");
    await does(id, "undo");
    for (const step of ["check", "import", "undo"] as const)
      expect(await runStep(client.id, id, step)).toEqual({ outcome: "skipped" });
    expect(await reviewTexts()).toEqual([]);
  });

  it("sends nothing, and undoing it reports each deleted review", async () => {
    const id = await prepared(judgeme(row(1), row(2)));
    await does(id, "check", "import");
    expect(await rowsOf("select name from outbox where client_id = $1 and name like 'review/%'", [client.id])).toEqual(
      [],
    );
    await does(id, "undo");
    expect(await rowsOf("select name from outbox where client_id = $1 and name like 'review/%'", [client.id])).toEqual([
      { name: "review/deleted" },
      { name: "review/deleted" },
    ]);
    expect(
      await rowsOf(
        "select action from audit_entries where client_id = $1 and action like 'reviews.%' order by at, id",
        [client.id],
      ),
    ).toEqual([{ action: "reviews.uploaded" }, { action: "reviews.imported" }, { action: "reviews.import_undone" }]);
  });

  it("says before it is undone what people did since", async () => {
    const id = await prepared(judgeme(row(1), row(2, "Thanks"), row(3)));
    await does(id, "check", "import");
    const [one, two, three] = (
      await rowsOf("select id from reviews where client_id = $1 order by extract", [client.id])
    ).map((review) => review.id);
    await rowsOf(
      "insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state) values ($1, 'review', $2, 'user', 'decided', 'rejected')",
      [client.id, one],
    );
    await aResponse(client.id, "review", two);
    await rowsOf("insert into votes (client_id, review_id, voter, value, updated_at) values ($1, $2, 'v', 1, now())", [
      client.id,
      three,
    ]);
    await rowsOf("delete from reviews where client_id = $1 and id = $2", [client.id, one]);
    const counts = async () => (await call(undo, "GET", at(`imports/${id}/undo`), { headers })).json.data;
    expect(await counts()).toEqual({ items: 2, decided: 0, answered: 1, voted: 1 });
    await does(id, "undo");
    expect(await counts()).toEqual({ items: 0, decided: 0, answered: 0, voted: 0 });
  });

  it("can be undone for 30 days", async () => {
    const id = await prepared(judgeme(row(1)));
    await does(id, "check", "import");
    await rowsOf(
      "update review_imports set created_at = created_at - interval '31 days', imported_at = imported_at - interval '31 days' where id = $1",
      [id],
    );
    expect(await get(id)).toMatchObject({ can_undo: false });
    expectError(await request(id, "undo"), 409, "conflict");
    expect(await rowsOf("select from review_import_items where import_id = $1", [id])).toHaveLength(1);
    await rowsOf(
      "update review_imports set created_at = created_at - interval '1 day', imported_at = imported_at - interval '1 day' where id = $1",
      [id],
    );
    await purgeImportItems();
    expect(await rowsOf("select from review_import_items where import_id = $1", [id])).toEqual([]);
    expect(await reviewTexts()).toHaveLength(1);
  });

  it("notifies the person who started it once it ends, and nobody if the command did", async () => {
    const notifications = () =>
      rowsOf("select kind, params, path from notifications where client_id = $1 order by id", [client.id]);
    const id = await prepared(judgeme(row(1)), "old-shop.csv");
    await does(id, "check");
    expect(await notifications()).toEqual([]);
    await does(id, "import");
    const done = { kind: "import_done", params: { file: "old-shop.csv" }, path: `/portal/imports/${id}` };
    expect(await notifications()).toEqual([done]);
    // What the job tries again is no news yet.
    const interrupted = await prepared(judgeme(row(4)), "slow.csv");
    await does(interrupted, "check");
    await request(interrupted, "import");
    await failStep(client.id, interrupted, "import", new Error("connection lost"));
    expect(await notifications()).toEqual([done]);
    await runStep(client.id, interrupted, "import");
    expect(await notifications()).toHaveLength(2);
    await rowsOf("delete from notifications where path = $1", [`/portal/imports/${interrupted}`]);
    const failing = await prepared(judgeme(row(2)), "lost.csv");
    await does(failing, "check");
    await request(failing, "import");
    await rowsOf("delete from feed_uploads where client_id = $1 and import_id = $2", [client.id, failing]);
    expect(await runStep(client.id, failing, "import")).toEqual({ outcome: "failed" });
    const failed = { kind: "import_failed", params: { file: "lost.csv" }, path: `/portal/imports/${failing}` };
    expect(await notifications()).toEqual([done, failed]);
    await importReviews(client.id, Readable.from([Buffer.from(judgeme(row(3)))]), { source: "export.csv" });
    expect(await notifications()).toHaveLength(2);
  });

  it("of the command is listed, and can be undone", async () => {
    await importReviews(client.id, Readable.from([Buffer.from(judgeme(row(1)))]), { source: "export.csv" });
    const [line] = (await listReviewImports(client)).imports;
    expect(line).toMatchObject({ filename: "export.csv", by_command: true, status: "imported", layout: "judgeme" });
    await does(line!.id, "undo");
    expect(await reviewTexts()).toEqual([]);
  });
});

describe("an import by the command", () => {
  it("stops if it was undone while it waited", async () => {
    const { stopped } = await transaction(async (db) => {
      await db.query("select pg_advisory_xact_lock(hashtext('candor.reviews'), hashtext($1))", [client.id]);
      const running = importReviews(client.id, Readable.from([Buffer.from(judgeme(row(1)))]));
      // Before the commit, which releases the lock: the import may end first.
      const stopped = expect(running).rejects.toMatchObject({
        code: "conflict",
        issues: [{ reason: "import_undone" }],
      });
      await waitUntil(async () => (await listReviewImports(client)).imports.length === 1 || null);
      await rowsOf("update review_imports set status = 'undone' where client_id = $1", [client.id]);
      return { stopped };
    });
    await stopped;
    expect((await listReviewImports(client)).imports).toMatchObject([{ status: "undone", created: 0 }]);
    expect(await reviewTexts()).toEqual([]);
  });
});

describe("our own files", () => {
  it.each([
    ["reviews", "jsonl"],
    ["seller_reviews", "csv"],
    ["seller_reviews", "jsonl"],
    ["questions", "csv"],
    ["questions", "jsonl"],
  ] as const)("of %s in %s are recognized, imported and undone", async (kind, format) => {
    const source = await aClient();
    await someReviews(source.id, [{ accepted: true }, { accepted: null }]);
    await someSellerReviews(source.id, [{ accepted: true }, { accepted: null }]);
    await someQuestions(source.id, [{ accepted: true }, { accepted: null }]);
    const text = async (id: string) => (await Array.fromAsync(exportReviews(id, { kind, format }))).join("");
    const file = await text(source.id);
    const before = await contents();
    const id = await prepared(file, `${kind}.${format}`);
    expect(await get(id)).toMatchObject({ kind, layout: format });
    expect((await previewImport(client.client, id))?.rows).toHaveLength(2);
    expect((await previewImport(client.client, id))?.fields).toBeNull();
    expect(await does(id, "check", "import")).toMatchObject({ created: 2, rejected: 0 });
    expect(await text(client.id)).toBe(file);
    await does(id, "undo");
    expect(await contents()).toEqual(before);
    expect(
      await rowsOf("select name from outbox where client_id = $1 and name like '%/deleted'", [client.id]),
    ).toHaveLength(2);
  });
});

describe("files", () => {
  it("are deleted with an import that wasn't made", async () => {
    const upload = await uploaded(judgeme(row(1)));
    const { id } = (await prepare(upload)).json.data;
    expect((await call(oneImport, "DELETE", at(`imports/${id}`), { headers })).status).toBe(204);
    expect(await readFile(`feeds/${upload}/0`)).toBeNull();
    expectError(await call(oneImport, "GET", at(`imports/${id}`), { headers }), 404, "not_found");
  });

  it("stay for a week, and then the import is deleted too", async () => {
    const upload = await uploaded(judgeme(row(1)));
    const { id } = (await prepare(upload)).json.data;
    await rowsOf("update feed_uploads set created_at = now() - interval '6 days' where id = $1", [upload]);
    await purgeUploads();
    expect(await get(id)).toMatchObject({ has_file: true });
    await rowsOf("update feed_uploads set created_at = now() - interval '8 days' where id = $1", [upload]);
    await rowsOf("update review_imports set created_at = now() - interval '8 days' where id = $1", [id]);
    await purgeUploads();
    expect(await get(id)).toMatchObject({ has_file: false });
    await purgeReviewImports();
    expect(await rowsOf("select from review_imports where id = $1", [id])).toEqual([]);
  });

  it("don't bring back people who were erased since the upload, and are deleted by an erasure if they wait", async () => {
    await someReviews(client.id, [{ author_email: "ann1@x.example", email_key: "ann1@x.example" }]);
    const running = await prepared(judgeme(row(1), row(2)));
    const waiting = await prepared(judgeme(row(1), row(2)));
    await does(running, "check");
    await request(running, "import");
    await eraseCompletely(client.id, { by: "email", email: "ann1@x.example" });
    await runStep(client.id, running, "import");
    expect(await get(running)).toMatchObject({ created: 1, rejected: 1 });
    expect(await get(waiting)).toMatchObject({ has_file: false });
    expectError(await request(waiting, "check"), 409, "conflict");
    expect(await previewImport(client.client, waiting)).toBeNull();
  });
});

describe("other stores", () => {
  let id: string;
  beforeAll(async () => {
    await use(await aClient());
    id = await prepared(judgeme(row(1)));
    await does(id, "check", "import");
  });

  it("get 404, and nothing changes", async () => {
    // `beforeEach` signed in at another store.
    const upload = await (async () => {
      const mine = client;
      await use(await aClient());
      const theirs = await uploaded(judgeme(row(1)));
      await use(mine);
      return theirs;
    })();
    const before = await hashDatabase();
    expectError(await call(oneImport, "GET", at(`imports/${id}`), { headers }), 404, "not_found");
    expectError(await change(id, {}), 404, "not_found");
    expectError(await call(oneImport, "DELETE", at(`imports/${id}`), { headers }), 404, "not_found");
    for (const step of ["check", "import", "undo"] as const) expectError(await request(id, step), 404, "not_found");
    expectError(await call(undo, "GET", at(`imports/${id}/undo`), { headers }), 404, "not_found");
    expectError(await call(skipped, "GET", at(`imports/${id}/skipped`), { headers }), 404, "not_found");
    expectError(await prepare(upload), 404, "not_found");
    expect(await hashDatabase()).toBe(before);
    expect((await listReviewImports(client)).imports).toEqual([]);
  });
});
