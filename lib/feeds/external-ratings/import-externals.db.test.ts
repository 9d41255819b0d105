import { writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { GET as display } from "@/app/onpage/[client_id]/reviews.json/route";
import * as summaries from "@/app/v1/summaries/route";
import {
  type ImportOptions,
  importExternals,
  importExternalsFrom,
} from "@/lib/feeds/external-ratings/import-externals";
import { call } from "@/lib/tools/test/call";
import { get } from "@/lib/tools/test/collection-rows";
import { aClient, hashDatabase, rowsOf, someProducts, type TestClient } from "@/lib/tools/test/factories";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";

let shop: TestClient;
beforeEach(async () => {
  shop = await aClient({ external_pro_reviews: true, external_user_reviews: true });
});

async function* bytes(text: string) {
  yield Buffer.from(text);
}
const importText = (text: string, options?: ImportOptions) => importExternals(shop.id, bytes(text), options);
const importRows = (rows: object[], options?: ImportOptions) => importText(JSON.stringify(rows), options);
const row = (product_id: string, given: object = {}) => ({
  product_id,
  source: "reviews.example",
  kind: "user",
  count: 2,
  score_dist: [0, 0, 0, 1, 1],
  ...given,
});
const stored = () =>
  rowsOf(
    "select product_id, kind, source, locale, country, count, score_dist, url from external_totals where client_id = $1 order by product_id, kind, source, locale, country",
    [shop.id],
  );
const version = async () => (await rowsOf("select version from clients where id = $1", [shop.id]))[0].version;
const counts = ({ read, created, updated, unchanged, deleted, rejected }: Awaited<ReturnType<typeof importText>>) => {
  expect(read).toBe(created + updated + unchanged + rejected.length);
  return [read, created, updated, unchanged, deleted, rejected.length];
};

describe("importing external totals", () => {
  it("creates, updates and leaves totals unchanged; the same file again changes nothing", async () => {
    const rows = [row("a"), row("a", { kind: "pro" }), row("a", { locale: "en-us" }), row("b", { country: "se" })];
    const first = await importRows(rows);
    expect(counts(first)).toEqual([4, 4, 0, 0, 0, 0]);
    expect(await stored()).toEqual(
      [
        { product_id: "a", kind: "pro", locale: "", country: "" },
        { product_id: "a", kind: "user", locale: "", country: "" },
        { product_id: "a", kind: "user", locale: "en_US", country: "" },
        { product_id: "b", kind: "user", locale: "", country: "SE" },
      ].map((key) => ({ source: "reviews.example", count: 2, score_dist: [0, 0, 0, 1, 1], url: null, ...key })),
    );
    const before = await version();
    const updated = await rowsOf("select updated_at from external_totals where client_id = $1", [shop.id]);
    expect(counts(await importRows(rows))).toEqual([4, 0, 0, 4, 0, 0]);
    expect(await version()).toBe(before);
    expect(await rowsOf("select updated_at from external_totals where client_id = $1", [shop.id])).toEqual(updated);
    const changed = [row("a", { url: "https://reviews.example/a" }), row("a", { kind: "pro", count: 3 }), row("c")];
    expect(counts(await importRows(changed))).toEqual([3, 1, 2, 0, 0, 0]);
    expect(await version()).toBeGreaterThan(before);
    expect(await stored()).toHaveLength(5);
  });

  it("saves its report, with the rows it rejected", async () => {
    const report = await importRows(
      [row("a"), row("b", { kind: "none" }), row("a", { count: 5 }), row("c", { url: "x" })],
      {
        source: "totals.json",
      },
    );
    expect(report).toMatchObject({
      read: 4,
      created: 2,
      rejected: [
        { row: 1, reason: "doubled" },
        { row: 2, reason: "kind_invalid" },
      ],
      rejectedCount: 2,
      warnings: expect.arrayContaining([{ row: 4, field: "url", reason: "not_an_address", value: "x" }]),
    });
    expect((await stored())[0]).toMatchObject({ product_id: "a", count: 5 });
    expect(await rowsOf("select * from feed_imports where client_id = $1", [shop.id])).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^imp_/),
        kind: "externals",
        source: "totals.json",
        status: "done",
        read: 4,
        created: 2,
        rejected: 2,
        report: expect.objectContaining({ rejected: report.rejected }),
      }),
    ]);
  });

  it("deletes totals missing from a complete file, but not from a truncated one", async () => {
    await importRows([row("a"), row("b"), row("c")]);
    expect(counts(await importRows([row("a")]))).toEqual([1, 0, 0, 1, 0, 0]);
    const broken = await importText(`[${JSON.stringify(row("a"))},{"product_id":"b"`, { complete: true });
    expect(broken).toMatchObject({ deleted: 0, incomplete: expect.stringContaining("JSON") });
    expect(await stored()).toHaveLength(3);
    expect(counts(await importRows([row("a"), row("d")], { complete: true }))).toEqual([2, 1, 0, 1, 2, 0]);
    expect((await stored()).map(({ product_id }) => product_id)).toEqual(["a", "d"]);
  });

  it("rejects an invalid file and changes nothing", async () => {
    await importRows([row("a")]);
    const before = await stored();
    await expect(importText("date,amount\n1,2\n", { complete: true })).rejects.toMatchObject({ code: "invalid_field" });
    expect(await stored()).toEqual(before);
    expect(
      await rowsOf("select status, error from feed_imports where client_id = $1 and status <> 'done'", [shop.id]),
    ).toEqual([{ status: "refused", error: expect.stringContaining("product_id") }]);
    const all = await hashDatabase();
    await expect(importExternals("nobody", bytes("[]"))).rejects.toMatchObject({ code: "not_found" });
    expect(await hashDatabase()).toBe(all);
  });

  it("changes only its own client", async () => {
    const other = await aClient();
    await importExternals(other.id, bytes(JSON.stringify([row("a")])));
    await importRows([row("a", { count: 9 })], { complete: true });
    const [theirs] = await rowsOf("select count from external_totals where client_id = $1", [other.id]);
    expect(theirs.count).toBe(2);
  });

  it("runs two concurrent imports one after the other", async () => {
    const files = [1, 2, 3, 4].map((count) => Array.from({ length: 200 }, (_, index) => row(`p${index}`, { count })));
    const reports = await Promise.all(files.map((rows) => importRows(rows)));
    expect(reports.map(({ created }) => created).sort()).toEqual([0, 0, 0, 200]);
    const counted = await rowsOf("select distinct count from external_totals where client_id = $1", [shop.id]);
    expect(counted).toHaveLength(1);
  });

  it("changes nothing if its connection breaks midway, and can be repeated", async () => {
    await importRows([row("a")]);
    const before = await stored();
    async function* breaking() {
      yield Buffer.from("product_id,source,kind,count\na,reviews.example,user,9\nb,x,pro,1\n");
      // The file is read while the COPY statement is still running.
      const broken = () =>
        rowsOf(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy staged_totals%'",
        );
      await expect.poll(broken).toHaveLength(1);
      for (let line = 0; line < 20_000; line += 1) yield Buffer.from(`c${line},x,pro,1\n`);
    }
    await expect(importExternals(shop.id, breaking())).rejects.toThrow();
    expect(await stored()).toEqual(before);
    expect(await rowsOf("select status from feed_imports where client_id = $1 order by started_at", [shop.id])).toEqual(
      [{ status: "done" }, { status: "failed" }],
    );
    expect(counts(await importRows([row("a", { count: 9 })]))).toEqual([1, 0, 1, 0, 0, 0]);
  });

  it("deletes totals with their client", async () => {
    await someProducts(shop.id, [{ id: "a" }]);
    await importRows([row("a")]);
    await rowsOf("delete from clients where id = $1", [shop.id]);
    expect(await stored()).toEqual([]);
  });

  it("is visible as soon as it returns", async () => {
    await someProducts(shop.id, [{ id: "a", family_id: "f" }]);
    const shown = async () => {
      const page = (await (await get(display, `/onpage/${shop.id}/reviews.json?key=a`)).json()) as Record<
        string,
        unknown
      >;
      const { json } = await call(summaries, "GET", "/v1/summaries", { key: shop.key });
      expect(json.data[0].score).toBe(page.score);
      expect(json.data[0].user_review_count).toBe(page.user_review_count);
      return [page.score, page.user_review_count, page.user_review_page_url];
    };
    expect(await shown()).toEqual([null, 0, null]);
    await importText("product_id,source,kind,count,score_dist,url\na,x,user,4,0 0 0 0 4,https://x.example/a\n");
    expect(await shown()).toEqual([10, 4, "https://x.example/a"]);
    await importText("product_id,source,kind,count\na,x,user,0\n");
    expect(await shown()).toEqual([null, 0, null]);
  });

  it("reads a local file or a URL", async () => {
    const folder = temporaryFolder("totals");
    const file = path.join(folder, "totals.csv");
    const csv = "product_id,source,kind,count\na,x,pro,1\n";
    await writeFile(file, csv);
    expect(counts(await importExternalsFrom(shop.id, file))).toEqual([1, 1, 0, 0, 0, 0]);
    await expect(importExternalsFrom(shop.id, `${file}.none`)).rejects.toMatchObject({ code: "not_found" });
    const server = http.createServer((_, response) => response.end(csv));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // Local addresses are blocked unless the setting allows them.
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/totals.csv`;
    await expect(importExternalsFrom(shop.id, address)).rejects.toMatchObject({ code: "invalid_field" });
    server.close();
  });
});
