import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ReadOptions, readExternals, type TotalRow } from "@/lib/feeds/external-ratings/read-externals";

async function read(given: string | Uint8Array, options?: ReadOptions, piece = 1 << 16) {
  const bytes = Buffer.from(given as Uint8Array);
  async function* input() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  }
  const { batches, report } = readExternals(input(), options);
  const rows: TotalRow[] = [];
  for await (const batch of batches()) rows.push(...batch);
  return { rows, report };
}
const totals = async (given: string | Uint8Array, options?: ReadOptions) =>
  (await read(given, options)).rows.map((one) => ("total" in one ? one.total : one.reason));

const lamp = {
  product_id: "LAMP",
  source: "reviews.example",
  kind: "user",
  locale: "sv_SE",
  country: "SE",
  count: 6,
  score_dist: [1, 0, 0, 2, 3],
  url: "https://reviews.example/lamp",
};

describe("readExternals", () => {
  it("reads CSV with every notation of the distribution", async () => {
    const head = "product_id,source,kind,locale,country,count,url,score_dist\n";
    const line = "LAMP,reviews.example,user,sv_SE,SE,6,https://reviews.example/lamp,";
    for (const dist of ['"[1,0,0,2,3]"', '"1, 0, 0, 2, 3"', "1 0 0 2 3", "1;0;0;2;3", "1|0|0|2|3", '"{1,0,0,2,3}"'])
      expect(await totals(head + line + dist)).toEqual([lamp]);
    const columns =
      "product_id;source;kind;locale;country;count;url;score_dist_1;score_dist_2;score_dist_3;score_dist_4;score_dist_5";
    const cells = "LAMP;reviews.example;user;sv_SE;SE;6;https://reviews.example/lamp;1;0;0;2;3";
    expect(await totals(`\ufeff${columns}\r\n${cells}\r\n`)).toEqual([lamp]);
    expect(await totals(`${columns}\n${cells}`.replaceAll(";", "\t"), { filename: "totals.tsv" })).toEqual([lamp]);
    expect(await totals(gzipSync(`${columns}\n${cells}`))).toEqual([lamp]);
  });

  it("reads JSON, as an array or an object with one", async () => {
    for (const file of [[lamp], { externals: [lamp] }, { made: "today", totals: [lamp] }])
      expect(await totals(JSON.stringify(file))).toEqual([lamp]);
  });

  it("treats missing values as unknown", async () => {
    const bare = { product_id: 1_000_045, source: "a", kind: "PRO", score_dist: [0, 0, 0, 1, 1] };
    const unknown = { locale: "", country: "", url: null };
    expect(
      await totals(JSON.stringify([bare, { ...bare, score_dist: null, count: 7, locale: null, country: "" }])),
    ).toEqual([
      { product_id: "1000045", source: "a", kind: "pro", ...unknown, count: 2, score_dist: [0, 0, 0, 1, 1] },
      { product_id: "1000045", source: "a", kind: "pro", ...unknown, count: 7, score_dist: [0, 0, 0, 0, 0] },
    ]);
  });

  it("normalizes locales and countries", async () => {
    const [total] = await totals(JSON.stringify([{ ...lamp, locale: "ZH-hant-tw", country: "tw" }]));
    expect(total).toMatchObject({ locale: "zh_Hant_TW", country: "TW" });
  });

  it.each([
    ["product_id_missing", { product_id: " " }],
    ["product_id_too_long", { product_id: "x".repeat(256) }],
    ["source_missing", { source: null }],
    ["source_too_long", { source: "x".repeat(256) }],
    ["kind_invalid", { kind: "expert" }],
    ["kind_invalid", { kind: null }],
    ["locale_invalid", { locale: "Swedish!" }],
    ["country_invalid", { country: "SWE" }],
    ["count_missing", { count: null, score_dist: null }],
    ["count_invalid", { count: -1 }],
    ["count_invalid", { count: 1.5 }],
    ["count_invalid", { count: "many" }],
    ["count_invalid", { count: 1_000_000_001 }],
    ["count_invalid", { count: null, score_dist: [1e9, 1e9, 0, 0, 0] }],
    ["score_dist_invalid", { score_dist: [1, 2, 3, 4] }],
    ["score_dist_invalid", { score_dist: [1, 2, 3, 4, 5, 6] }],
    ["score_dist_invalid", { score_dist: [1, 2, 3, 4, -5] }],
    ["score_dist_invalid", { score_dist: [1, 2, null, 4, 5] }],
    ["score_dist_invalid", { score_dist: [1, 2, 3, 4, 1.5] }],
  ])("%s: %j", async (reason, wrong) => {
    expect(await totals(JSON.stringify([{ ...lamp, ...wrong }, lamp]))).toEqual([reason, lamp]);
  });

  it("drops an invalid address with a warning, and warns if a distribution doesn't cover all reviews", async () => {
    const { rows, report } = await read(
      JSON.stringify([
        { ...lamp, url: "javascript:alert(1)" },
        { ...lamp, count: 9 },
      ]),
    );
    expect(rows).toEqual([
      { row: 1, total: { ...lamp, url: null } },
      { row: 2, total: { ...lamp, count: 9 } },
    ]);
    expect(report.warnings).toEqual([
      { row: 1, field: "url", reason: "not_an_address", value: "javascript:alert(1)" },
      { row: 2, field: "score_dist", reason: "is_not_count", value: "1, 0, 0, 2, 3" },
    ]);
  });

  it("corrects values that can't be stored", async () => {
    const { rows, report } = await read('[{"product_id":"a\\u0000b","source":"\\ud83d!","kind":"pro","count":1}]');
    expect(rows).toMatchObject([{ total: { product_id: "a b", source: "\ufffd!" } }]);
    expect(report.repairs.map(({ kind }) => kind).sort()).toEqual(["control_characters", "invalid_characters"]);
  });

  it.each([
    ["nothing", ""],
    ["another CSV file", "date,amount\n2026-01-01,5\n"],
    ["JSON without a list", '{"products":1}'],
    ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])("rejects %s", async (_, file) => {
    await expect(read(file)).rejects.toMatchObject({ code: "invalid_field", issues: [{ field: "file" }] });
  });

  it("throws only AppError, for any bytes", async () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom("pro", "user", "1 2 3 4 5", "7", "en_US", '"', "\u0000"));
    const csv = fc
      .array(fc.array(cell, { minLength: 1, maxLength: 9 }), { maxLength: 6 })
      .map((lines) => `product_id,source,kind,count,score_dist,url\n${lines.map((line) => line.join(",")).join("\n")}`);
    const json = fc
      .array(fc.dictionary(fc.constantFrom(...Object.keys(lamp)), fc.jsonValue()))
      .map((rows) => JSON.stringify(rows));
    await fc.assert(
      fc.asyncProperty(fc.oneof(csv, json, fc.uint8Array()), fc.integer({ min: 1, max: 50 }), async (file, piece) => {
        try {
          const { rows } = await read(file, undefined, piece);
          for (const one of rows) {
            if (!("total" in one)) continue;
            expect(one.total.score_dist).toHaveLength(5);
            expect(JSON.stringify(one.total)).not.toContain("\\u0000");
          }
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_field" });
        }
      }),
      { numRuns: 200 },
    );
  });
});
