import { createReadStream, existsSync, readdirSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { generatedFeed } from "@/lib/feeds/fixtures/generated-feed";
import { type ImportOptions, importProducts } from "@/lib/feeds/import-products";
import { importProductsFrom, importProductsFromFile, importProductsFromUrl } from "@/lib/feeds/import-products-from";
import { now, withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { emptyDatabase } from "@/lib/tools/test/database";
import { noticeInEnglish } from "@/lib/tools/test/notice-text";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const CLIENT = "shop.example";
const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);

beforeEach(async () => {
  await emptyDatabase();
  await makeClient(CLIENT);
});

async function makeClient(id: string) {
  const account = newId("acc");
  await pool().query("insert into accounts (id, name) values ($1, $1)", [account]);
  await pool().query(
    "insert into clients (id, account_id, display_name, email_name, public_key) values ($1, $2, $1, $1, $3)",
    [id, account, newId("pk")],
  );
}

async function* bytes(text: string | Uint8Array) {
  yield Buffer.from(text as Uint8Array);
}
const importText = (text: string | Uint8Array, options?: ImportOptions, client = CLIENT) =>
  importProducts(client, bytes(text), options);
const importRows = (rows: object[], options?: ImportOptions) => importText(JSON.stringify(rows), options);

type Row = Record<string, unknown> & { id: string; updated_at: Date };
const catalog = async (client = CLIENT) =>
  (await pool().query<Row>("select * from products where client_id = $1 order by id", [client])).rows;
const product = async (id: string) => (await catalog()).find((row) => row.id === id)!;
const imports = async () =>
  (await pool().query("select * from feed_imports where client_id = $1 order by started_at, id", [CLIENT])).rows;
const counts = ({
  read,
  created,
  updated,
  unchanged,
  deleted,
  rejected,
}: Awaited<ReturnType<typeof importProducts>>) => {
  expect(read).toBe(created + updated + unchanged + rejected.length);
  return [read, created, updated, unchanged, deleted, rejected.length];
};

describe("importing a feed", () => {
  it("creates the products and saves the report", async () => {
    const report = await importProductsFromFile(CLIENT, fixture("lanterna.rss.xml"));
    expect(counts(report)).toEqual([7, 4, 0, 0, 0, 3]);
    expect(report.rejected).toEqual([
      { row: 4, reason: "doubled" },
      { row: 5, reason: "id_missing" },
      { row: 6, reason: "name_missing" },
    ]);
    expect(report.warnings).toHaveLength(2);
    expect(await product("LAN-100-BRASS")).toMatchObject({
      family_id: "LAN-100",
      brand: "Lanterna",
      name: "Lampe de lecture «\u00a0Café\u00a0» en laiton",
      category: "Lighting > Lamps & Lanterns > Reading",
      gtin14s: ["04006381333931"],
      tags: [],
      match_status: null,
      deleted: false,
      properties: expect.objectContaining({ price: "75.00 EUR" }),
    });
    expect(await product("LAN-200")).toMatchObject({ family_id: "LAN-200", brand: null, name: "L'abat-jour dépliant" });
    expect(await product("LAN-300")).toMatchObject({ name: "Night light Lumière", image_url: null });
    expect(await imports()).toMatchObject([
      {
        id: report.id,
        kind: "products",
        source: "lanterna.rss.xml",
        status: "done",
        read: 7,
        created: 4,
        rejected: 3,
        report: { rejected: report.rejected, repairs: report.repairs, warnings: report.warnings, incomplete: null },
        error: null,
        finished_at: expect.any(Date),
      },
    ]);
  });

  it("changes nothing the second time, not even updated_at", async () => {
    await importProductsFromFile(CLIENT, fixture("lanterna.rss.xml"));
    const before = await catalog();
    const report = await withNow(new Date(Date.now() + 60_000), () =>
      importProductsFromFile(CLIENT, fixture("lanterna.rss.xml")),
    );
    expect(counts(report)).toEqual([7, 0, 0, 4, 0, 3]);
    expect(await catalog()).toEqual(before);
  });

  it("moves updated_at only of changed products, and clears what a row with a name leaves out", async () => {
    await importRows([
      { id: "1", name: "One", brand: "A", color: "red", gtin: "96385074" },
      { id: "2", name: "Two" },
    ]);
    const moment = new Date(now().getTime() + 3_600_000);
    moment.setMilliseconds(0);
    const report = await withNow(moment, () =>
      importRows([
        { id: "1", name: "One", size: "L" },
        { id: "2", name: "Two" },
      ]),
    );
    expect(counts(report)).toEqual([2, 0, 1, 1, 0, 0]);
    const [one, two] = await catalog();
    expect(one).toMatchObject({ brand: null, gtin14s: [], properties: { size: "L" } });
    expect(one!.updated_at.getTime()).toBeGreaterThanOrEqual(moment.getTime());
    expect(two!.updated_at.getTime()).toBeLessThan(moment.getTime());
  });

  it("marks missing products as deleted, and restores them when they return", async () => {
    const rows = ["1", "2", "3"].map((id) => ({ id, name: `Lamp ${id}` }));
    await importRows(rows);
    expect(counts(await importRows(rows.slice(0, 2)))).toEqual([2, 0, 0, 2, 1, 0]);
    expect(await product("3")).toMatchObject({ deleted: true, name: "Lamp 3" });
    expect(counts(await importRows(rows.slice(0, 2)))).toEqual([2, 0, 0, 2, 0, 0]);
    expect(counts(await importRows(rows))).toEqual([3, 0, 1, 2, 0, 0]);
    expect(await product("3")).toMatchObject({ deleted: false });
  });

  it("refuses to delete more than half unless confirmed", async () => {
    const rows = ["1", "2", "3", "4"].map((id) => ({ id, name: `Lamp ${id}` }));
    await importRows(rows);
    const before = await catalog();
    const new5 = { id: "5", name: "New" };
    await expect(importRows([{ ...rows[0]!, name: "Changed" }, new5])).rejects.toMatchObject({ code: "conflict" });
    expect(await catalog()).toEqual(before);
    const last = (await imports()).at(-1);
    expect([last?.status, noticeInEnglish(last?.error)]).toEqual(["refused", expect.stringContaining("3 of the 4")]);
    expect(counts(await importRows(rows.slice(0, 2)))).toEqual([2, 0, 0, 2, 2, 0]); // Half isn't more than half.
    expect(counts(await importRows([new5], { confirmDeletions: true }))).toEqual([1, 1, 0, 0, 2, 0]);
  });

  it("rejects an empty feed if there are products, and deletes nothing if all rows are unusable", async () => {
    await importRows([{ id: "1", name: "One" }]);
    await expect(importText("<rss><channel></channel></rss>")).rejects.toMatchObject({ code: "conflict" });
    expect(counts(await importRows([{ name: "No id" }]))).toEqual([1, 0, 0, 0, 0, 1]);
    expect(await product("1")).toMatchObject({ deleted: false });
  });

  it("imports the rows of a truncated feed and deletes nothing", async () => {
    await importProductsFromFile(CLIENT, fixture("lanterna.rss.xml"));
    const report = await importProductsFromFile(CLIENT, fixture("lanterna-cut-off.rss.xml"));
    expect(counts(report)).toEqual([2, 0, 1, 0, 0, 1]);
    expect(report.incomplete).toMatch(/ends before/);
    expect(await product("LAN-100-BRASS")).toMatchObject({ name: "Brass reading lamp" });
    expect((await catalog()).filter((row) => row.deleted)).toEqual([]);
    const packed = gzipSync(
      `id,name\n${Array.from({ length: 9_000 }, (_, at) => `A${(at * 7_919) % 9_973},Lamp ${at}`).join("\n")}\n`,
    );
    const half = await importText(packed.subarray(0, packed.length / 2));
    expect(half.incomplete).toMatch(/gzip/);
    expect(half.created).toBeGreaterThan(1_000);
    expect(half.deleted).toBe(0);
  });

  it("lets a feed without names update existing products without deleting or restoring any", async () => {
    await importProductsFromFile(CLIENT, fixture("lanterna.rss.xml"));
    await pool().query("update products set deleted = true where id = 'LAN-200'");
    const report = await importProductsFromFile(CLIENT, fixture("lanterna-supplemental.rss.xml"));
    expect(counts(report)).toEqual([2, 0, 1, 0, 0, 1]);
    expect(report.rejected).toEqual([{ row: 2, reason: "name_missing" }]);
    expect(await product("LAN-100-BRASS")).toMatchObject({
      name: "Lampe de lecture «\u00a0Café\u00a0» en laiton",
      brand: "Lanterna",
      mpn: "CAFE-BRASS",
      family_id: "LAN-100",
      properties: expect.objectContaining({ price: "70.00 EUR", availability: "in_stock" }),
    });
    expect(counts(await importRows([{ id: "LAN-200", mpn: "X" }]))).toEqual([1, 0, 1, 0, 0, 0]);
    expect(await product("LAN-200")).toMatchObject({ deleted: true, mpn: "X" });
  });

  it("uses the last row of a duplicate id, whatever the others contain", async () => {
    const report = await importRows([
      { id: "1", name: "First" },
      { id: "1 ", name: "Second" },
      { id: "1", name: "Third" },
      { id: "a", name: "small" },
      { id: "A", name: "large" },
    ]);
    expect(counts(report)).toEqual([5, 3, 0, 0, 0, 2]);
    expect(report.rejected).toEqual([
      { row: 1, reason: "doubled" },
      { row: 2, reason: "doubled" },
    ]);
    expect((await catalog()).map((row) => row.name)).toEqual(["Third", "large", "small"]);
  });

  it("changes nothing if the file isn't a feed, the client is unknown, or the input breaks", async () => {
    await importRows([{ id: "1", name: "One" }]);
    const before = await catalog();
    await expect(importText("<html><body>404</body></html>")).rejects.toMatchObject({ code: "invalid_field" });
    await expect(importText("[]", {}, "nobody.example")).rejects.toMatchObject({ code: "not_found" });
    await expect(importProductsFrom(CLIENT, "/no/such/file.csv")).rejects.toMatchObject({ code: "not_found" });
    await expect(importProductsFrom(CLIENT, "/tmp")).rejects.toMatchObject({ code: "invalid_field" });
    async function* breaking() {
      yield Buffer.from("id,name\n2,Two\n3,Three\n");
      throw new Error("the line is dead");
    }
    await expect(importProducts(CLIENT, breaking())).rejects.toThrow("the line is dead");
    expect(await catalog()).toEqual(before);
    expect((await imports()).map((row) => row.status)).toEqual(["done", "refused", "failed"]);
  });

  it("stores unusual text exactly", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom(..."ab\\\t\n\r\"'{},N\u0001é😀"), minLength: 1, maxLength: 20 }), {
          minLength: 1,
          maxLength: 5,
        }),
        async (texts) => {
          await importRows(
            texts.map((text, at) => ({ id: `${at}`, name: `n${text}n`, tags: [text], note: `x${text}x` })),
            { confirmDeletions: true },
          );
          const rows = (await catalog()).filter((row) => !row.deleted);
          const plain = (text: string) => text.replaceAll("\u0001", "");
          expect(rows.map((row) => (row.properties as { note: string }).note)).toEqual(
            texts.map((text) => plain(`x${text}x`)),
          );
          expect(rows.map((row) => row.name)).toEqual(
            texts.map((text) => plain(`n${text}n`).replace(/\s*[\t\r\n]\s*/g, " ")),
          );
        },
      ),
      { numRuns: propertyRuns(8) },
    );
  });

  it("changes only its own client", async () => {
    await makeClient("other.example");
    await importRows([{ id: "1", name: "Ours" }]);
    await importText('[{"id":"1","name":"Theirs"},{"id":"2","name":"Theirs too"}]', {}, "other.example");
    expect((await catalog()).map((row) => row.name)).toEqual(["Ours"]);
    expect((await catalog("other.example")).map((row) => row.name)).toEqual(["Theirs", "Theirs too"]);
  });

  it("runs two imports of one client one after the other", async () => {
    const feed = (name: string) => Array.from({ length: 500 }, (_, at) => ({ id: `${at}`, name: `${name} ${at}` }));
    const reports = await Promise.all(["A", "B", "C", "D"].map((name) => importRows(feed(name))));
    for (const report of reports) counts(report);
    expect(reports.map((report) => report.created).sort()).toEqual([0, 0, 0, 500]);
    const names = new Set((await catalog()).map((row) => (row.name as string)[0]));
    expect(names.size).toBe(1); // One feed as a whole, not a mixture.
  });

  it("marks an import that died when the next one starts", async () => {
    await pool().query(
      `insert into feed_imports (client_id, id, kind, source, status, started_at)
       values ($1, 'imp_dead', 'products', 'x', 'running', now() - interval '2 minutes')`,
      [CLIENT],
    );
    await importRows([{ id: "1", name: "One" }]);
    expect((await imports()).map((row) => row.status)).toEqual(["failed", "done"]);
  });

  it("reports its progress", async () => {
    const seen: number[] = [];
    await importProducts(CLIENT, generatedFeed("csv", 2_000), { onProgress: ({ read }) => seen.push(read) });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toBe(2_000);
  });
});

describe("reviews of products that move", () => {
  const review = (id: string, productId: string, familyId: string | null) =>
    pool().query(
      `insert into reviews (client_id, id, source, product_id, family_id, author, score, date, accepted, accepted_at, feedback_token)
       values ($1, $2, 'collect', $3, $4, 'Ann', 4, '2026-01-02', true, now(), $2)`,
      [CLIENT, id, productId, familyId],
    );
  const families = async () =>
    (await pool().query("select id, family_id, body from reviews order by id")).rows.map((row) => {
      expect(JSON.parse(`${row.body}}`).family_ids).toEqual([row.family_id]);
      return row.family_id;
    });
  const summaries = async () =>
    Object.fromEntries(
      (await pool().query("select family_id, count from family_summaries where count <> 0")).rows.map((row) => [
        row.family_id,
        row.count,
      ]),
    );

  it("follow to the new family, with their summaries", async () => {
    await importRows([
      { id: "1", name: "One", family_id: "F" },
      { id: "2", name: "Two", family_id: "F" },
    ]);
    for (let at = 0; at < 40; at++) await review(`a${at}`, "1", "F");
    await review("b", "2", "F");
    await review("c", "9", "9"); // A product that isn't in the catalog yet.
    expect(await summaries()).toEqual({ F: 41, 9: 1 });
    await importRows([
      { id: "1", name: "One", family_id: "G" },
      { id: "2", name: "Two", family_id: "F" },
      { id: "9", name: "Nine", family_id: "F" },
    ]);
    expect(await families()).toEqual([...Array(40).fill("G"), "F", "F"]);
    expect(await summaries()).toEqual({ G: 40, F: 2 });
  });

  it("all follow, even in several batches", async () => {
    await importRows([{ id: "1", name: "One", family_id: "F" }]);
    await pool().query(
      `insert into reviews (client_id, id, source, product_id, family_id, author, score, date, accepted, accepted_at, feedback_token)
       select $1, lpad(to_hex(n), 16, '0'), 'import', '1', 'F', 'Ann', 1 + n % 5, '2026-01-02', true, now(), n::text
         from generate_series(1, 2000) n`,
      [CLIENT],
    );
    await importRows([{ id: "1", name: "One", family_id: "G" }]);
    expect(await families()).toEqual(Array(2_000).fill("G"));
    expect(await summaries()).toEqual({ G: 2_000 });
  });

  it("are updated by the next import if one died before", async () => {
    await importRows([{ id: "1", name: "One", family_id: "G" }]);
    await review("a", "1", "F");
    await pool().query("update feed_imports set status = 'following', finished_at = null");
    await importRows([{ id: "1", name: "One", family_id: "G" }]);
    expect(await families()).toEqual(["G"]);
    expect((await imports()).map((row) => row.status)).toEqual(["done", "done"]);
  });
});

describe("a feed at a URL", () => {
  it("is fetched, compressed or not, and not read again if unchanged", async () => {
    const server = http.createServer((request, response) => {
      if (request.url === "/gone") response.writeHead(404).end();
      else if (request.headers["if-none-match"] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"', "content-encoding": "gzip" }).end(gzipSync("id,name\n1,One\n"));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
    const network = { allows: () => true };
    try {
      await expect(importProductsFromUrl(CLIENT, `${url}/feed.csv`)).rejects.toMatchObject({ code: "invalid_field" });
      const first = await importProductsFromUrl(CLIENT, `${url}/feed.csv?token=secret`, { network });
      expect(first).toMatchObject({ notModified: false, report: { created: 1 }, etag: '"1"' });
      expect((await imports())[0].source).toBe(`${url.replace("user:secret@", "")}/feed.csv`);
      const again = await importProductsFromUrl(CLIENT, `${url}/feed.csv`, { network, known: { etag: '"1"' } });
      expect(again).toEqual({ notModified: true });
      await expect(importProductsFromUrl(CLIENT, `${url}/gone`, { network })).rejects.toMatchObject({
        code: "invalid_field",
        message: expect.not.stringContaining("secret"),
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("any sequence of feeds", () => {
  it("leaves exactly the last complete feed active and reports what happened", async () => {
    const feed = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom("a", "b"), fc.constantFrom("F", "G")),
      {
        selector: ([id]) => id,
        minLength: 1,
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(feed, { minLength: 1, maxLength: 4 }), async (feeds) => {
        await pool().query("delete from products");
        for (const rows of feeds) {
          const before = new Map((await catalog()).map((row) => [row.id, row]));
          const report = await importRows(
            rows.map(([id, name, family]) => ({ id: `${id}`, name, family_id: family })),
            { confirmDeletions: true },
          );
          const after = await catalog();
          const live = after.filter((row) => !row.deleted);
          expect(live.map((row) => [row.id, row.name, row.family_id]).sort()).toEqual(
            rows.map(([id, name, family]) => [`${id}`, name, family]).sort(),
          );
          const changed = after.filter((row) => before.get(row.id) && before.get(row.id)!.updated_at < row.updated_at);
          expect(counts(report)).toEqual([
            rows.length,
            after.length - before.size,
            report.updated,
            report.unchanged,
            report.deleted,
            0,
          ]);
          expect(changed.length).toBe(report.updated + report.deleted);
        }
      }),
      { numRuns: propertyRuns(8) },
    );
  });
});

const real = path.resolve(import.meta.dirname, "../../../shared/data/feeds");
describe.skipIf(!existsSync(real))("real feeds (run if ../shared/data exists)", () => {
  const expected: Record<string, number> = {
    "samsung-kz.atom.xml": 663,
    "mariannedenis-be.rss.xml": 427,
    "mariannedenis-fr-broken-utf8.rss.xml": 403,
    "solea-fr.rss.xml": 90,
    "avernas-sv.rss.xml": 36,
    "sofanacaixa-supplemental.rss.xml": 57,
    "lecc-variants.tsv": 160,
    "tehnoholod-ru.csv": 81,
  };
  it("are all listed here", () => {
    expect(readdirSync(real).sort()).toEqual(Object.keys(expected).sort());
  });
  it.each(Object.entries(expected))(
    "%s imports its %i rows, and changes nothing the second time",
    async (name, count) => {
      const run = () => importProducts(CLIENT, createReadStream(path.join(real, name)), { filename: name });
      const report = await run();
      if (name.includes("supplemental")) {
        expect(counts(report)).toEqual([count, 0, 0, 0, 0, count]);
        expect(new Set(report.rejected.map((row) => row.reason))).toEqual(new Set(["name_missing"]));
        return;
      }
      expect(counts(report)).toEqual([count, count, 0, 0, 0, 0]);
      expect(counts(await run())).toEqual([count, 0, 0, count, 0, 0]);
    },
  );
});
