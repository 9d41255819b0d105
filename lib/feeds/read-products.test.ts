import { createReadStream, existsSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FeedProduct } from "@/lib/feeds/product-fields";
import { type FeedProductRow, type ReadOptions, readProducts } from "@/lib/feeds/read-products";
import { AppError } from "@/lib/platform/errors";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { unpackGzip } from "@/lib/platform/parsing/unpack";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);

type Reading = { rows: FeedProductRow[]; products: FeedProduct[]; report: FeedReport };

async function read(input: AsyncIterable<Uint8Array>, options?: ReadOptions): Promise<Reading> {
  const feed = readProducts(input, options);
  const rows = await Array.fromAsync(feed);
  return { rows, products: rows.flatMap((row) => ("product" in row ? [row.product] : [])), report: feed.report };
}
const readFile = (file: string, options?: ReadOptions) => read(createReadStream(file), { filename: file, ...options });
/** Splits the bytes into small pieces, so that values span them. */
const inPieces = (bytes: string | Uint8Array, size = 7) => {
  const buffer = Buffer.from(bytes as Uint8Array);
  return Readable.from(
    Array.from({ length: Math.ceil(buffer.length / size) }, (_, at) => buffer.subarray(at * size, (at + 1) * size)),
  );
};
const readText = (text: string | Uint8Array, options?: ReadOptions, size?: number) =>
  read(inPieces(text, size), options);
const repairs = (report: FeedReport) => Object.fromEntries(report.repairs.map((repair) => [repair.kind, repair.count]));

it("limits the size of a decompressed file", async () => {
  const bomb = () => inPieces(gzipSync(Buffer.alloc(1_000_000)), 200);
  const { report } = readProducts(inPieces(""));
  const unpacked = async (most?: number) => {
    let bytes = 0;
    for await (const piece of unpackGzip(bomb(), report, most)) bytes += piece.length;
    return bytes;
  };
  expect(await unpacked()).toBe(1_000_000);
  await expect(unpacked(100_000)).rejects.toMatchObject({
    code: "invalid_field",
    message: "The unpacked file is larger than 100,000 bytes.",
  });
});

describe("a Google Merchant RSS feed", () => {
  it("is read with entities decoded, groups joined, numbers checked, and corrections reported", async () => {
    const { rows, products, report } = await readFile(fixture("lanterna.rss.xml"));
    expect(rows).toHaveLength(7);
    expect(products[0]).toEqual({
      id: "LAN-100-BRASS",
      name: "Lampe de lecture «\u00a0Café\u00a0» en laiton",
      family_id: "LAN-100",
      brand: "Lanterna",
      category: "Lighting > Lamps & Lanterns > Reading",
      url: "https://lanterna.example/p/cafe?finish=brass&ref=feed",
      image_url: "https://lanterna.example/img/cafe-brass.jpg",
      mpn: "CAFE-B",
      gtin14s: ["04006381333931"],
      tags: null,
      properties: {
        description: "Une petite lampe dorée.\nPièce numérotée.",
        additional_image_link: "https://lanterna.example/img/cafe-2.jpg, https://lanterna.example/img/cafe-3.jpg",
        google_product_category: "Home & Garden > Lighting > Lamps",
        condition: "new",
        availability: "in_stock",
        price: "75.00 EUR",
        shipping: "FR:Standard:4.90 EUR, BE:Standard:6.90 EUR",
      },
    });
    expect(products[1]).toMatchObject({
      name: "Lampe de lecture Café noire",
      category: "Home & Garden > Lighting > Lamps",
      image_url: "https://lanterna.example/img/cafe-black.jpg",
      gtin14s: [],
    });
    expect(products[2]).toMatchObject({
      name: "L'abat-jour dépliant",
      brand: null,
      gtin14s: ["00000096385074", "00012345678905"],
    });
    expect(rows[4]).toEqual({ row: 5, reason: "id_missing" });
    expect(products[4]).toMatchObject({ id: "LAN-400", name: null, brand: "Lanterna" });
    expect(products[5]).toMatchObject({ id: "LAN-300", name: "Night light Lumière", image_url: null });
    expect(products[5]!.properties).toEqual({ color: "Grün" });
    expect(report.warnings).toEqual([
      { row: 2, field: "gtin", reason: "not_a_gtin", value: "4006381333930" },
      { row: 7, field: "image_url", reason: "not_an_address", value: "javascript:alert(1)" },
    ]);
    expect(repairs(report)).toEqual({ entities: 6, blanks: 1, relative_url: 1 });
    expect(report.incomplete).toBeNull();
  });

  it("gives the same rows in UTF-16, Latin-1, with a byte-order mark, compressed, and in pieces of any size", async () => {
    const text = `<?xml version="1.0"?><rss><channel><item><g:id>1</g:id><title>Åska är här</title></item></channel></rss>`;
    const latin = text.replace(`"1.0"`, `"1.0" encoding="ISO-8859-1"`);
    const utf16be = Buffer.from(text, "utf16le").swap16();
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      Buffer.from(latin, "latin1"),
      Buffer.from(latin), // Declares Latin-1, but is UTF-8.
      Buffer.from(text.replace(`"1.0"`, `"1.0" encoding="no-such-thing"`)),
      Buffer.from(text, "utf16le"),
      Buffer.from(`\ufeff${text}`, "utf16le"),
      utf16be,
      gzipSync(text),
    ]) {
      for (const size of [1, 3, 1_000]) {
        const { products } = await readText(bytes, {}, size);
        expect(products).toMatchObject([{ id: "1", name: "Åska är här" }]);
      }
    }
  });

  it("replaces invalid bytes and removes control characters", async () => {
    const { products, report } = await readFile(fixture("lanterna-broken-bytes.rss.xml"));
    expect(products.map((product) => product.name)).toEqual([
      "Lampe 6€ - soldes",
      "Lampe de caf\ufffd",
      "Bell and whistle",
    ]);
    expect(repairs(report)).toMatchObject({ invalid_characters: 1, control_characters: 1 });
    expect(report.repairs.find((repair) => repair.kind === "invalid_characters")!.rows).toEqual([2]);
  });

  it("returns the items before a truncation and reports it", async () => {
    const { rows, report } = await readFile(fixture("lanterna-cut-off.rss.xml"));
    expect(rows).toMatchObject([{ product: { id: "LAN-100-BRASS" } }, { row: 2, reason: "truncated" }]);
    expect(report.incomplete).toBe("xml_cut_short");
  });

  it("closes an unclosed item at the next one", async () => {
    const { products, report } = await readText(
      "<rss><channel><item><id>1</id><title>One</title><item><id>2</id><title>Two</title></item><item><id>3</id></item></channel></rss>",
    );
    expect(products.map((product) => product.id)).toEqual(["1", "2", "3"]);
    expect(repairs(report)).toEqual({ unclosed_element: 1 });
  });

  it("skips a warning that the store's software printed before the feed", async () => {
    const { products, report } = await readText(
      "Warning: date() in feed.php on line 3\n<?xml version='1.0'?><rss><channel><item><id>1</id><title>One</title></item></channel></rss>",
    );
    expect(products).toMatchObject([{ id: "1", name: "One" }]);
    expect(repairs(report)).toEqual({ text_before: 1 });
  });
});

describe("an Atom feed", () => {
  it("is read with undeclared namespaces", async () => {
    const { products } = await readFile(fixture("lanterna.atom.xml"));
    expect(products).toMatchObject([
      {
        id: "LAN-100-BRASS",
        name: "Brass reading lamp",
        url: "https://lanterna.example/p/cafe",
        family_id: "LAN-100",
        properties: { shipping: "SE:0.0 SEK", price: "799 SEK" },
      },
      { id: "LAN-500", name: "Läslampa Åska  XL", image_url: null, url: "https://lanterna.example/p/aska" },
    ]);
  });
});

describe("a delimited feed", () => {
  it("is read with tabs, doubled quotes, and spaces in the header", async () => {
    const { products, report } = await readFile(fixture("lanterna.tsv"));
    expect(products).toMatchObject([
      {
        id: "LAN-600-S",
        name: '"Owl" clip lamp, "small"',
        image_url: "https://lanterna.example/img/owl.jpg",
        family_id: "LAN-600",
        properties: { description: '"Owl" clip lamp', availability: "in stock", color: "grey" },
      },
      { id: "LAN-600-L", name: 'Owl 5" lamp' },
      { id: "LAN-601", name: "Moth lamp", brand: null },
    ]);
    expect(repairs(report)).toEqual({ cells: 1 });
    expect(report.incomplete).toBeNull();
  });

  it("is read with semicolons, our own field names, and line breaks in cells", async () => {
    const { products, report } = await readFile(fixture("lanterna-semicolon.csv"));
    expect(products).toEqual([
      {
        id: "LAN-700",
        name: 'Lampa "Åska"; bordsmodell',
        family_id: "LAN-70",
        brand: "Lanterna",
        category: "Belysning > Bord",
        url: "https://lanterna.example/p/700",
        image_url: "https://lanterna.example/i/700.jpg",
        mpn: "A-700",
        gtin14s: ["04006381333931", "00000096385074"],
        tags: null,
        properties: { watt: "40" },
      },
      expect.objectContaining({ id: "LAN-701", name: "Två rader på lampan" }),
      expect.objectContaining({ id: "LAN-702", name: "Taklämpan", category: "Belysning > Tak", gtin14s: [] }),
    ]);
    expect(repairs(report)).toEqual({ line_breaks: 1, entities: 2 });
  });

  it.each([",", ";", "\t", "|"])("detects the delimiter %j", async (delimiter) => {
    const text = `id	title	link\r1	One	https://x.example/1`.replaceAll("	", delimiter);
    expect((await readText(text)).products).toMatchObject([{ id: "1", name: "One", url: "https://x.example/1" }]);
  });

  it("loses no row to an unclosed quote", async () => {
    const { products, report } = await readText('id,title\n1,"Lamp 5" wide\n2,Two\n3,Three\n');
    expect(products.map((product) => product.id)).toEqual(["1", "2", "3"]);
    expect(products[0]!.name).toBe('"Lamp 5" wide');
    expect(repairs(report)).toHaveProperty("stray_quotes");
    expect(report.incomplete).toBe("cell_not_closed"); // or the end of the file is missing
  });

  it("rejects an incomplete last row and reports truncation", async () => {
    const { rows, report } = await readText("id,title,link\n1,One,https://x.example/1\n2,Tw");
    expect(rows).toMatchObject([{ row: 1 }, { row: 2, reason: "truncated" }]);
    expect(report.incomplete).toBe("row_cut_short");
  });

  it("falls back to a legacy Western encoding if none is named", async () => {
    const text = "id;title\n1;Läslampa åäö\n2;Überlicht\n";
    const { products, report } = await readText(Buffer.from(text, "latin1"));
    expect(products.map((product) => product.name)).toEqual(["Läslampa åäö", "Überlicht"]);
    expect(repairs(report)).toEqual({ guessed_encoding: 1 });
  });
});

describe("other formats", () => {
  it("reads plain XML with repeated numbers and custom properties", async () => {
    const { products } = await readFile(fixture("lanterna-products.xml"));
    expect(products).toMatchObject([
      {
        id: "LAN-800-RED",
        name: "Storm lantern, red",
        brand: "Lanterna",
        mpn: "SL-8",
        gtin14s: ["04006381333931", "00000096385074"],
        properties: { color: "red", name: "kept apart from the name", description: "Burns eight hours © Lanterna" },
      },
      { id: "LAN-801", name: "Storm lantern, blue & white", gtin14s: ["00012345678905"] },
    ]);
  });

  it("reads JSON with long numbers and nested details", async () => {
    const { rows, products, report } = await readFile(fixture("lanterna.json"));
    expect(products).toMatchObject([
      {
        id: "LAN-900",
        gtin14s: ["04006381333931", "00000096385074"],
        tags: ["new", "small"],
        properties: { color: "green", weight: "120" },
      },
      {
        id: "90000000000000012345",
        gtin14s: ["04006381333931"],
        properties: { in_stock: "true", "dimensions.height": "12", "dimensions.unit": "cm" },
      },
      { id: "LAN-902", name: "Bell lantern" },
    ]);
    expect(rows[2]).toEqual({ row: 3, reason: "not_an_object" });
    expect(repairs(report)).toEqual({});
  });

  it("reads a bare JSON array, skipping a broken row", async () => {
    const { rows, report } = await readText('[{"id":"1","name":"a, [b] {c} \\"d\\" \\\\"},{"id":1,},{"id":"3"}]');
    expect(rows).toMatchObject([
      { product: { name: 'a, [b] {c} "d" \\' } },
      { row: 2, reason: "unreadable" },
      { product: { id: "3" } },
    ]);
    expect(report.incomplete).toBeNull();
    expect((await readText('{"products":[{"id":"1","name":"x"},{"id":"2"')).report.incomplete).toBe("json_cut_short");
  });

  it("repairs line breaks inside JSON strings", async () => {
    const { products, report } = await readText('[{"id":"1","name":"Bell\n\tlantern"}]');
    expect(products).toMatchObject([{ id: "1", name: "Bell lantern" }]);
    expect(repairs(report)).toEqual({ control_characters: 1 });
  });

  it("accepts custom field names", async () => {
    const { products } = await readText("Artikelnummer;Bezeichnung\n1;Lampe\n", {
      mapping: { artikelnummer: "id", Bezeichnung: "name" },
    });
    expect(products).toMatchObject([{ id: "1", name: "Lampe" }]);
  });
});

describe("a file that isn't a feed", () => {
  it.each([
    ["nothing", ""],
    ["blanks", " \n "],
    ["a web page", "<!DOCTYPE html><html><body><item>x</item></body></html>"],
    ["another XML document", "<svg><rect/></svg>"],
    ["an object without a list", '{"error":"not allowed"}'],
    ["columns nobody knows", "a,b,c\n1,2,3\n"],
    ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
    ["a broken gzip file", Buffer.from("1f8b0800ffffffffffff", "hex")],
    ["a workbook", Buffer.from("504b0304140006000800", "hex")],
  ])("is rejected: %s", async (_what, bytes) => {
    await expect(readText(bytes)).rejects.toMatchObject({ name: "AppError", code: "invalid_field" });
  });

  it("is distinguished from an empty feed", async () => {
    for (const text of ["<rss><channel></channel></rss>", "[]", '{"products":[]}', "id,title\n"]) {
      const { rows, report } = await readText(text);
      expect(rows).toEqual([]);
      expect(report.incomplete).toBeNull();
    }
  });
});

describe("limits", () => {
  it("truncates an oversized value in every format and continues", async () => {
    const huge = "x".repeat(3_000_000);
    for (const text of [
      `id,title,notes\n1,One,${huge}\n2,Two,\n`,
      `id,title,notes\n1,One,"${huge}"\n2,Two,\n`,
      `<rss><channel><item><id>1</id><title>One</title><notes>${huge}</notes></item><item><id>2</id><title>Two</title></item></channel></rss>`,
    ]) {
      const { products } = await readText(text, {}, 65_536);
      expect(products.map((product) => [product.id, product.name])).toEqual([
        ["1", "One"],
        ["2", "Two"],
      ]);
      expect(products[0]!.properties!.notes).toHaveLength(2_000);
    }
    const { rows } = await readText(`[{"id":"1","name":"One","notes":"${huge}"},{"id":"2","name":"Two"}]`, {}, 65_536);
    expect(rows).toMatchObject([{ row: 1, reason: "too_long" }, { product: { id: "2" } }]);
  });

  it("allow fifty properties of 2,000 characters", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `p${at}`);
    const { products, report } = await readText(
      `id,name,${names}\n1,One,${names.map(() => "😀".repeat(1_500))}\n`,
      {},
      4_096,
    );
    const savedProperties = Object.values(products[0]!.properties!);
    expect(savedProperties).toHaveLength(50);
    expect(savedProperties.every((value) => value.length === 2_000 && value.isWellFormed())).toBe(true);
    expect(repairs(report)).toEqual({ long_value: 1, many_properties: 10 });
  });

  it("reject ids longer than 255 characters", async () => {
    const { rows } = await readText(`id,name\n${"9".repeat(256)},One\n`);
    expect(rows).toEqual([{ row: 1, reason: "id_too_long" }]);
  });

  it("reject XML with an endless comment or endless nesting", async () => {
    const start = "<rss><channel><item><id>1</id><title>One</title></item>";
    const comment = await readText(`${start}<!--${"x".repeat(6_000_000)}--></channel></rss>`, {}, 65_536);
    expect(comment.products).toHaveLength(1);
    expect(comment.report.incomplete).toBe("xml_element_too_long");
    const nested = await readText(`${start}<item>${"<a>".repeat(500)}`, {}, 65_536);
    expect(nested.report.incomplete).toBe("xml_nested_too_deeply");
  });
});

describe("properties", () => {
  const fragments = fc.oneof(
    fc.constantFrom(
      ..."<item> </item> <g:id>1</g:id> <title> <![CDATA[ ]]> <!-- --> &eacute; &amp;amp; &#0; &#xD800; <rss> <feed> <entry> <products> <product>".split(
        " ",
      ),
      ...'{ } [ ] "products" : , "id" "1" \\ \\u0000 "name" null 1e9 true'.split(" "),
      ...["id,title\n", "1,One\n", '"', '""', ";", "\t", "|", "\r\n", "\r", "\0", "\ufeff", "\ud800", "\u0085"],
    ),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(fragments, { maxLength: 40 }).map((parts) => new Uint8Array(Buffer.from(parts.join("")))),
    fc.array(fragments, { maxLength: 40 }).map((parts) => new Uint8Array(Buffer.from(parts.join(""), "utf16le"))),
    fc.array(fragments, { maxLength: 40 }).map((parts) => new Uint8Array(gzipSync(parts.join("")))),
    fc
      .tuple(fc.array(fragments, { maxLength: 40 }), fc.nat(60))
      .map(([parts, cutAt]) => new Uint8Array(gzipSync(parts.join("")).subarray(0, cutAt))),
    fc
      .array(fragments, { maxLength: 30 })
      .map((parts) => new Uint8Array(Buffer.from(`<rss><channel>${parts.join("")}`))),
    fc.array(fragments, { maxLength: 30 }).map((parts) => new Uint8Array(Buffer.from(`id,title,x\n${parts.join("")}`))),
    fc
      .array(fragments, { maxLength: 30 })
      .map((parts) => new Uint8Array(Buffer.from(`{"products":[${parts.join("")}`))),
  );
  const format = fc.constantFrom(undefined, "xml", "csv", "tsv", "json", "rss", "atom") as fc.Arbitrary<
    ReadOptions["format"]
  >;

  it("throws only AppError for any bytes, and returns the same rows for any chunking", async () => {
    const outcome = async (input: Uint8Array, size: number, options: ReadOptions) => {
      try {
        const { rows, products, report } = await readText(input, options, size);
        for (const product of products) {
          expect(product.id.length).toBeGreaterThan(0);
          for (const text of JSON.stringify(product)) expect(text).not.toBe("\0");
          expect(JSON.stringify(product).isWellFormed()).toBe(true);
        }
        expect(rows.map((row) => row.row)).toEqual(rows.map((_, at) => at + 1));
        return { rows, incomplete: report.incomplete !== null };
      } catch (error) {
        if (error instanceof AppError) return "refused";
        throw error;
      }
    };
    await fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 9 }), format, async (input, size, given) => {
        const unsplit = await outcome(input, 100_000, { format: given });
        expect(await outcome(input, size, { format: given })).toEqual(unsplit);
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it("returns any table that was written as CSV", async () => {
    const cell = fc.string({ unit: fc.constantFrom(..."ab,;\t|\"\n\r é€😀'"), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(",", ";", "\t", "|"),
        fc.integer({ min: 1, max: 9 }),
        async (table, delimiter, size) => {
          const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const lines = table.map(([one, two], at) => [`${at + 1}`, one, two].map(quote).join(delimiter));
          const text = [["id", "alpha", "beta"].join(delimiter), ...lines].join("\r\n");
          const { products } = await readText(text, {}, size);
          expect(products.map(({ properties }) => [properties?.alpha ?? "", properties?.beta ?? ""])).toEqual(
            table.map((row) => row.map((value) => value.trim())),
          );
        },
      ),
    );
  });
});

// Real feeds of real stores, which may be read but not distributed.
const real = path.resolve(import.meta.dirname, "../../../shared/data/feeds");
describe.skipIf(!existsSync(real))("real feeds (run if ../shared/data exists)", () => {
  it.each([
    ["samsung-kz.atom.xml", { rows: 663, families: 316, gtins: 648, images: 648, names: 663, warnings: 0 }],
    ["mariannedenis-be.rss.xml", { rows: 427, families: 62, gtins: 0, images: 427, names: 427, warnings: 0 }],
    [
      "mariannedenis-fr-broken-utf8.rss.xml",
      { rows: 403, families: 60, gtins: 0, images: 403, names: 403, warnings: 0 },
    ],
    ["solea-fr.rss.xml", { rows: 90, families: 0, gtins: 0, images: 89, names: 90, warnings: 0 }],
    ["avernas-sv.rss.xml", { rows: 36, families: 0, gtins: 0, images: 35, names: 36, warnings: 0 }],
    ["sofanacaixa-supplemental.rss.xml", { rows: 57, families: 20, gtins: 0, images: 0, names: 0, warnings: 0 }],
    ["lecc-variants.tsv", { rows: 160, families: 22, gtins: 0, images: 160, names: 160, warnings: 0 }],
    ["tehnoholod-ru.csv", { rows: 81, families: 0, gtins: 0, images: 81, names: 81, warnings: 0 }],
  ])("%s is read completely", async (name, expected) => {
    const { rows, products, report } = await readFile(path.join(real, name));
    expect(report.incomplete).toBeNull();
    expect({
      rows: rows.length,
      families: new Set(products.flatMap((product) => product.family_id ?? [])).size,
      gtins: products.flatMap((product) => product.gtin14s ?? []).length,
      images: products.filter((product) => product.image_url).length,
      names: products.filter((product) => product.name).length,
      warnings: report.warningCount,
    }).toEqual(expected);
    expect(products).toHaveLength(rows.length);
    const texts = products
      .flatMap((product) => [product.name, product.category, product.brand])
      .filter((text) => text !== null);
    expect(texts.filter((text) => /&[a-z#\d]+;|^\s|\s$|[\n\r]/.test(text))).toEqual([]);
  });

  it("report their corrections", async () => {
    const tally = async (name: string) => repairs((await readFile(path.join(real, name))).report);
    expect(await tally("samsung-kz.atom.xml")).toEqual({ blanks: 18, relative_url: 1, entities: 1054, long_value: 41 });
    expect(await tally("mariannedenis-fr-broken-utf8.rss.xml")).toMatchObject({ entities: 803, invalid_characters: 1 });
    expect(await tally("lecc-variants.tsv")).toEqual({});
  });
});
