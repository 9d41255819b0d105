import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import type { StoredReport } from "@/lib/feeds/import-records";
import { pool } from "@/lib/platform/db/pool";
import { csvRows } from "@/lib/platform/parsing/csv-rows";
import { readText } from "@/lib/platform/parsing/read-text";
import { FeedReport } from "@/lib/platform/parsing/report";
import { aClient, hashDatabase, rowsOf, someProducts, type TestClient } from "@/lib/tools/test/factories";
import { type ImportReviewsOptions, importReviews } from "@/lib/transfer/import-reviews";
import { importReviewsFrom } from "@/lib/transfer/import-reviews-from";

const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", `${name}.csv`);
const importFile = (client: TestClient, name: string, options?: ImportReviewsOptions) =>
  importReviewsFrom(client.id, fixture(name), options);
const importText = (client: TestClient, text: string, options?: ImportReviewsOptions) =>
  importReviews(client.id, Readable.from([Buffer.from(text)]), options);

const counts = ({ read, created, updated, unchanged, rejected, rejectedCount }: StoredReport) => {
  expect(read).toBe(created + updated + unchanged + rejectedCount);
  return { read, created, updated, unchanged, rejected };
};
const kinds = (report: StoredReport) => report.repairs.map(({ kind }) => kind).sort();

const reviewsOf = (client: TestClient) =>
  rowsOf(
    `select external_id, product_id, family_id, score, title, extract, author, author_email, date, accepted, reject_reason, lang,
            verified_buyer, verified_email, incentivized, order_id, source, product_name, answers, jsonb_array_length(images) as images,
            responses from reviews where client_id = $1 order by external_id`,
    [client.id],
  );

/** Imports a fixture, checks what applies to every fixture, and returns the report and the reviews. */
async function imported(client: TestClient, name: string) {
  const before = await hashDatabase();
  const simulated = await importFile(client, name, { dryRun: true });
  expect(await hashDatabase()).toBe(before);
  const report = await importFile(client, name);
  expect(report).toEqual(simulated);
  const reviews = await reviewsOf(client);
  expect(reviews.filter((review) => review.verified_buyer || review.verified_email || review.order_id)).toEqual([]);
  expect(new Set(reviews.map(({ source }) => source))).toEqual(new Set(["import"]));
  const again = await importFile(client, name);
  expect({ ...again, rejected: [], repairs: [], warnings: [] }).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: report.created,
  });
  expect(await reviewsOf(client)).toEqual(reviews);
  // No notification is sent and no email is queued.
  expect(await rowsOf("select from outbox where client_id = $1", [client.id])).toEqual([]);
  expect(await rowsOf("select from mails where client_id = $1", [client.id])).toEqual([]);
  const states = await rowsOf(
    "select action, to_state, count(*) from moderation_events where client_id = $1 and kind <> 'store' group by 1, 2 order by 2",
    [client.id],
  );
  expect(states.reduce((sum, state) => sum + state.count, 0)).toBe(reviews.length);
  expect(await verifySummaries(client.id)).toEqual([]);
  return { report, reviews };
}

describe("a file of another service", () => {
  it("from Loox has statuses, replies, a duplicate id, and a custom question; images are fetched only on request", async () => {
    const client = await aClient({
      display_name: "Fjord",
      custom_questions: [
        {
          id: "fit",
          type: "select",
          label: { en: "How does it fit?" },
          options: [
            { id: "s", label: { en: "Small" } },
            { id: "l", label: { en: "Large" } },
          ],
        },
      ],
    });
    const { report, reviews } = await imported(client, "loox");
    expect(counts(report)).toEqual({
      read: 6,
      created: 3,
      updated: 0,
      unchanged: 0,
      rejected: [
        { row: 1, reason: "doubled" },
        { row: 5, reason: "score_missing" },
        { row: 6, reason: "product_missing" },
      ],
    });
    expect(kinds(report)).toEqual(["pictures_left", "verified_mark"]);
    expect(report.warnings).toEqual([
      { row: 2, field: "author_email", reason: "not_an_address" },
      { row: 2, field: "fit", reason: "not_an_answer" },
    ]);
    expect(reviews).toMatchObject([
      {
        external_id: "loox:lx1aZ",
        product_id: "7272",
        score: 4,
        extract: "Second thoughts.",
        author: "Ada B.",
        author_email: "ada@customers.example",
        date: "2026-05-15",
        accepted: true,
        answers: {},
      },
      {
        external_id: "loox:lx2bY",
        incentivized: true,
        accepted: false,
        reject_reason: "unspecified",
        author_email: null,
        responses: [{ author: "Fjord", date: "2026-03-25", extract: "We are sorry, Bo." }],
      },
      {
        external_id: "loox:lx3cX",
        incentivized: false,
        product_id: "oak-shelf",
        accepted: false,
        extract: "",
        lang: "en",
      },
    ]);
    const single = (await readFile(fixture("loox"), "utf8")).split("\r\n").slice(0, 3).join("\r\n");
    await importText(client, single);
    expect((await reviewsOf(client))[0]).toMatchObject({ score: 5, answers: { fit: "s" } });
  });

  it("from Judge.me has no ids, decimals, HTML, mixed date formats, spam, Spanish", async () => {
    const client = await aClient();
    await someProducts(client.id, [{ id: "AC-1", family_id: "aceite" }]);
    const { report, reviews } = await imported(client, "judgeme");
    expect(counts(report)).toEqual({
      read: 7,
      created: 6,
      updated: 0,
      unchanged: 0,
      rejected: [{ row: 7, reason: "date_in_future" }],
    });
    expect(kinds(report)).toEqual(["html", "pictures_left", "rounded_score"]);
    const byDate = reviews.sort(
      (one, other) => one.date.localeCompare(other.date) || one.extract.localeCompare(other.extract),
    );
    expect(byDate.map(({ date, score, accepted, reject_reason }) => [date, score, accepted, reject_reason])).toEqual([
      ["2024-10-06", 5, null, null],
      ["2024-10-06", 4, true, null],
      ["2024-10-07", 5, false, "spam"],
      ["2024-10-13", 4, true, null],
      ["2024-10-13", 4, true, null],
      ["2025-02-12", 5, true, null],
    ]);
    expect(byDate[2]).toMatchObject({ extract: "cheap" });
    expect(byDate[5]).toMatchObject({ lang: "es", product_id: null, family_id: "aceite", title: "Muy bueno" });
    expect(byDate[1]).toMatchObject({ responses: [{ extract: "Gracias Camilo!", date: "2024-10-06" }] });
    for (const { external_id } of byDate) expect(external_id).toMatch(/^judgeme:[0-9a-f]{32}$/);
  });

  it("from Yotpo has semicolons, extra columns, seller reviews, and month-first dates as another row shows", async () => {
    const { report, reviews } = await imported(await aClient(), "yotpo");
    expect(counts(report)).toMatchObject({ created: 2, rejected: [{ row: 2, reason: "seller_review" }] });
    expect(reviews).toMatchObject([
      { external_id: "yotpo:101", date: "2025-03-04", product_name: "Brass lamp", extract: "Would buy; again" },
      { external_id: "yotpo:103", date: "2024-12-25", accepted: false, extract: "It's ok", author: "Cleo" },
    ]);
  });

  it("from Okendo and Shopify keeps unapproved reviews pending or rejected", async () => {
    const okendo = await imported(await aClient(), "okendo");
    expect(okendo.reviews.map(({ accepted, product_id }) => [accepted, product_id]).sort()).toEqual([
      [null, "123"],
      [true, "SKU-1"],
    ]);
    const shopify = await imported(await aClient(), "shopify");
    expect(shopify.reviews.map(({ date, accepted, responses }) => [date, accepted, responses.length]).sort()).toEqual([
      ["2019-03-14", true, 1],
      ["2019-03-16", false, 0],
      ["2019-03-17", null, 0],
    ]);
  });

  it("from PowerReviews and Feefo has tabs, dates in either order, a rating of the service only", async () => {
    const power = await imported(await aClient(), "powerreviews");
    expect(power.reviews).toMatchObject([
      { external_id: "powerreviews:9001", date: "2024-01-31", author: "Nan", accepted: true },
      { external_id: "powerreviews:9002", date: "2024-02-03", accepted: null },
    ]);
    const feefo = await imported(await aClient(), "feefo");
    expect(counts(feefo.report)).toMatchObject({ created: 1, rejected: [{ row: 2, reason: "score_missing" }] });
    expect(feefo.reviews).toMatchObject([{ date: "2025-02-14", extract: "Warm and bright", accepted: true }]);
  });

  it("from WooCommerce has replies as separate rows, counted with their review", async () => {
    const client = await aClient();
    const { report, reviews } = await imported(client, "woocommerce");
    expect(counts(report)).toEqual({
      read: 6,
      created: 5,
      updated: 0,
      unchanged: 0,
      rejected: [{ row: 4, reason: "parent_missing" }],
    });
    expect(reviews.map(({ external_id, accepted }) => [external_id, accepted])).toEqual([
      ["woocommerce:15", true],
      ["woocommerce:17", null],
      ["woocommerce:19", false],
    ]);
    expect(reviews[0].responses.map((reply: { extract: string }) => reply.extract)).toEqual([
      "Thank you Sia",
      "And once more",
    ]);
  });

  it("from Opinew is read in a legacy Western encoding", async () => {
    const { report, reviews } = await imported(await aClient(), "opinew");
    expect(kinds(report)).toContain("guessed_encoding");
    expect(reviews.map(({ extract, accepted, lang }) => [extract, accepted, lang]).sort()).toEqual([
      ["Größe passt überhaupt nicht, sehr ärgerlich", false, "de"],
      ["Schöne Lampe für die Küche", true, "de"],
    ]);
  });

  it("can have its format set by the operator, and is rejected with another service's columns", async () => {
    const client = await aClient();
    await expect(importFile(client, "yotpo", { format: "loox" })).rejects.toMatchObject({ code: "invalid_field" });
    const report = await importText(client, "rating,body,product_id,id\n5,Good,SKU-1,7\n", { format: "okendo" });
    expect(counts(report)).toMatchObject({ created: 1 });
    expect(
      await rowsOf("select status, layout from review_imports where client_id = $1 order by created_at, id", [
        client.id,
      ]),
    ).toEqual([
      { status: "failed", layout: "csv" },
      { status: "imported", layout: "okendo" },
    ]);
  });

  it("loses only invalid bytes, in any cell", async () => {
    const client = await aClient();
    const cells = [
      "i\0d",
      "Act\0ive",
      "5",
      "a\0da@customers.example",
      "A\0da",
      "Go\0od",
      "2026-01-02",
      "SK\0U",
      "h",
      "tha\0nks",
    ];
    const report = await importText(
      client,
      `id,status,rating,email,nickname,review,date,productId,handle,reply\n${cells.join(",")}\n`,
    );
    expect(counts(report)).toMatchObject({ created: 1 });
    expect(await reviewsOf(client)).toMatchObject([
      {
        external_id: "loox:id",
        author: "Ada",
        author_email: "ada@customers.example",
        extract: "Good",
        product_id: "SKU",
        accepted: true,
      },
    ]);
  });

  it("without statuses can be imported as pending", async () => {
    const client = await aClient();
    await importFile(client, "feefo", { pending: true });
    expect((await reviewsOf(client)).map(({ accepted }) => accepted)).toEqual([null]);
  });

  it("reads ambiguous dates in the service's order, and reports it", async () => {
    const client = await aClient();
    const rows = (date: string) =>
      `Review ID,Review Score,Review Content,Review Creation Date,Product ID\n1,5,a,${date},P\n`;
    const report = await importText(client, rows("03/04/2025"));
    expect(kinds(report)).toEqual(["ambiguous_date"]);
    expect((await reviewsOf(client))[0].date).toBe("2025-03-04");
    const shown = await importText(client, `${rows("03/04/2025")}2,5,b,25/04/2025,P\n`);
    expect(shown.repairs).toEqual([]);
    expect((await reviewsOf(client)).map(({ date }) => date)).toEqual(["2025-04-03", "2025-04-25"]);
  });
});

describe("reviews imported from another service", () => {
  const file = (cells: string) => `id,status,rating,email,nickname,review,date,productId,handle,reply\n${cells}\n`;
  const row = file("a1,Active,5,a@customers.example,Ada,Good,2026-01-02,SKU,lamp,");

  it("are updated by a later file, which keeps changes made here", async () => {
    const client = await aClient();
    await importText(client, row);
    const [{ id }] = await rowsOf("select id from reviews where client_id = $1", [client.id]);
    await pool().query(
      `insert into responses (client_id, id, kind, subject_id, author, extract, date) values ($1, 'rsp_here', 'review', $2, 'Us', 'Hello', '2026-01-03')`,
      [client.id, id],
    );
    expect(counts(await importText(client, row))).toMatchObject({ unchanged: 1 });
    const changed = file("a1,Active,4,a@customers.example,Ada,Good enough,2026-01-02,SKU,lamp,Thanks!");
    expect(counts(await importText(client, changed))).toMatchObject({ updated: 1 });
    expect((await reviewsOf(client))[0]).toMatchObject({
      score: 4,
      extract: "Good enough",
      responses: [{ extract: "Thanks!" }, { extract: "Hello" }],
    });
    const reworded = changed.replace("Thanks!", "Thanks a lot!");
    expect(counts(await importText(client, reworded))).toMatchObject({ updated: 1 });
    expect(counts(await importText(client, reworded))).toMatchObject({ unchanged: 1 });
    expect((await reviewsOf(client))[0].responses).toMatchObject([{ extract: "Thanks a lot!" }, { extract: "Hello" }]);
    expect(counts(await importText(client, row))).toMatchObject({ updated: 1 }); // The text changes; the reply stays.
  });

  it("keep decisions made here over the file's status", async () => {
    const client = await aClient();
    await importText(client, row);
    expect(counts(await importText(client, row.replace("Active", "Hidden")))).toMatchObject({ updated: 1 });
    expect((await reviewsOf(client))[0]).toMatchObject({ accepted: false });
    const [{ id }] = await rowsOf("select id from reviews where client_id = $1", [client.id]);
    await pool().query(
      "update reviews set accepted = false, reject_reason = 'price' where client_id = $1 and id = $2",
      [client.id, id],
    );
    await pool().query(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, reason)
       values ($1, 'review', $2, 'user', 'decided', 'rejected', 'rejected', 'price')`,
      [client.id, id],
    );
    expect(counts(await importText(client, row))).toMatchObject({ unchanged: 1 });
    expect((await reviewsOf(client))[0]).toMatchObject({ accepted: false, reject_reason: "price" });
    expect(await verifySummaries(client.id)).toEqual([]);
  });
});

describe("pending reviews after an import", () => {
  const due = (client: TestClient) =>
    rowsOf("select name, data from outbox where client_id = $1 and name = 'moderation/due' order by id", [client.id]);

  it("are queued for the client's rules, if it has any, without notifications", async () => {
    const client = await aClient({ auto_moderate: true });
    await importFile(client, "shopify");
    const [waiting] = await rowsOf("select id from reviews where client_id = $1 and accepted is null", [client.id]);
    const event = { name: "moderation/due", data: { client_id: client.id, kind: "review", ids: [waiting.id] } };
    expect(await due(client)).toEqual([event]);
    await importFile(client, "shopify");
    expect(await due(client)).toEqual([event]);
    const changed = (await readFile(fixture("shopify"), "utf8")).replace("Strange", "Very strange");
    await importText(client, changed);
    expect(await due(client)).toEqual([event, event]);
    // Rules look at texts, which a reward isn't part of.
    const marked = await importText(client, `${JSON.stringify({ id: waiting.id, incentivized: true })}\n`);
    expect(counts(marked)).toMatchObject({ updated: 1 });
    expect(await due(client)).toEqual([event, event]);
  });
});

describe("images by URL", () => {
  it("are fetched once, only on request, and a failure skips only the image", async () => {
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#39c" } })
      .jpeg()
      .toBuffer();
    const requestedUrls: string[] = [];
    const server = http.createServer((request, response) => {
      requestedUrls.push(request.url ?? "");
      if (request.url === "/good.jpg") response.end(picture);
      else if (request.url === "/page.jpg") response.end("<html>");
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = (urls: string) =>
      `id,status,rating,nickname,review,date,handle,img\na1,Active,5,Ada,Good,2026-01-02,lamp,"${urls}"\n`;
    const urls = `${base}/good.jpg,${base}/page.jpg,${base}/gone.jpg`;
    const imageSources = { fetch: true, network: { allows: () => true } };
    try {
      const client = await aClient();
      // Internal addresses are blocked by default.
      const guarded = await importText(client, file(urls), { imageSources: { fetch: true } });
      expect(guarded.warnings).toEqual([1, 1, 1].map((row) => ({ row, field: "images", reason: "not_fetched" })));
      expect(requestedUrls).toEqual([]);

      const before = await hashDatabase();
      const simulated = await importText(client, file(urls), { imageSources, dryRun: true });
      expect(await hashDatabase()).toBe(before);
      const report = await importText(client, file(urls), { imageSources });
      expect(report).toEqual(simulated);
      expect(counts(report)).toMatchObject({ updated: 1 });
      expect(report.warnings).toEqual([
        { row: 1, field: "images", reason: "unreadable" },
        { row: 1, field: "images", reason: "not_fetched" },
      ]);
      expect(await reviewsOf(client)).toMatchObject([{ images: 1 }]);

      requestedUrls.length = 0;
      expect(counts(await importText(client, file(`${base}/good.jpg`), { imageSources }))).toMatchObject({
        unchanged: 1,
      });
      expect(requestedUrls).toEqual([]);
      // Without the option, an import leaves images unchanged.
      expect(counts(await importText(client, file(urls)))).toMatchObject({ unchanged: 1 });
      expect(await reviewsOf(client)).toMatchObject([{ images: 1 }]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

const real = path.resolve(import.meta.dirname, "../../../shared/data");
describe.skipIf(!existsSync(real))("real files (run if ../shared/data exists)", () => {
  it.each([
    ["loox-export-part-a.csv", 112, 112],
    ["judgeme-import-es-part-a.csv", 228, 149], // The others are exact duplicates.
    ["judgeme-direct-import-example.csv", 1, 1],
  ])("%s imports its %i rows as %i reviews, and changes nothing the second time", async (name, rows, reviews) => {
    const client = await aClient();
    const run = () => importReviewsFrom(client.id, path.join(real, "vendor-exports", name));
    const report = await run();
    expect(counts(report)).toMatchObject({ read: rows, created: reviews });
    expect(new Set(report.rejected.map(({ reason }) => reason))).toEqual(new Set(rows === reviews ? [] : ["doubled"]));
    expect(counts(await run())).toMatchObject({ read: rows, unchanged: reviews });
    const verified = "select from reviews where client_id = $1 and (verified_buyer or verified_email)";
    expect(await rowsOf(verified, [client.id])).toEqual([]);
    expect(await verifySummaries(client.id)).toEqual([]);
  });

  it("round-trip five thousand real texts unchanged", async () => {
    const texts: object[] = [];
    for (const name of ["womens-clothing-rows-0-4999.csv.gz", "souq-arabic-part-a.csv.gz"]) {
      const bytes = createReadStream(path.join(real, "reviews", name)).pipe(createGunzip());
      const report = new FeedReport();
      for await (const batch of csvRows(readText(bytes, report), {
        isKnownColumn: (key) => /text/i.test(key),
        report,
      })) {
        for (const one of batch) {
          if (!("fields" in one)) continue;
          const cells = Object.fromEntries(
            one.fields.map((key, at, all) => [key, all[at + 1]]).filter((_, at) => at % 2 === 0),
          );
          texts.push({
            external_id: `${name}:${one.row}`,
            product_id: cells.clothing_id ?? "souq",
            score: Number(cells.rating ?? 3),
            title: cells.title ?? null,
            extract: cells.review_text ?? cells.text ?? "",
          });
        }
      }
    }
    expect(texts.length).toBe(5_000 + 2_136);
    const client = await aClient();
    const report = await importText(client, texts.map((row) => `${JSON.stringify(row)}\n`).join(""));
    expect(counts(report)).toMatchObject({ created: texts.length });
    const { exportReviews } = await import("@/lib/transfer/export-reviews");
    const csv = (await Array.fromAsync(exportReviews(client.id, { format: "csv" }))).join("");
    expect(counts(await importText(client, csv))).toMatchObject({ unchanged: texts.length });
  }, 180_000);
});
