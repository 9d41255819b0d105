import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { readOrders } from "@/lib/feeds/read-orders";
import { readText } from "@/lib/platform/parsing/read-text";
import { FeedReport } from "@/lib/platform/parsing/report";

const pieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
  );

async function read(bytes: Buffer, { size = 1_000, ...options }: { size?: number; charset?: string } = {}) {
  const report = new FeedReport();
  const text = (await Array.fromAsync(readText(pieces(bytes, size), report, options))).join("");
  return { text, encoding: report.encoding, repairs: report.repairs.map(({ kind }) => kind) };
}

const row = (name: string) => `order_id,customer_name,sku\n1001,${name},LAN-1\n`;

describe("a file that is not UTF-8", () => {
  it("keeps the letters of an order file of one row", async () => {
    const text = "order_id,customer_id,customer_name,sku\n1001,7,Jörg Müller,LAN-1\n";
    const { batches, report } = readOrders(pieces(Buffer.from(text, "latin1"), 7));
    const rows = (await Array.fromAsync(batches())).flat();
    expect(rows).toMatchObject([{ order: { customer: { name: "Jörg Müller" } } }]);
    expect(report.encoding).toBe("windows-1252");
  });

  it("keeps letters that come after 3,000 rows without any", async () => {
    const rows = (from: number, count: number, name: string) =>
      Array.from({ length: count }, (_, at) => `${from + at},${name},LAN-1\n`).join("");
    for (const before of ["Anna Berg", "Åsa Öberg"]) {
      const start = Buffer.from(`order_id,customer_name,sku\n${rows(1, 3_000, before)}`);
      const { text, encoding } = await read(
        Buffer.concat([start, Buffer.from(rows(3_001, 30, "Jörg Müller"), "latin1")]),
      );
      expect(text).not.toContain("\uFFFD");
      expect(text.match(/Jörg Müller/g)).toHaveLength(30);
      expect(text.match(new RegExp(before, "g"))).toHaveLength(3_000);
      expect(encoding).toBe(before === "Anna Berg" ? "windows-1252" : "UTF-8, windows-1252");
    }
  });

  it.each([
    ["windows-1252", row("Jörg Müller")],
    ["windows-1252", row("Lampe à 5 € – l’été")],
    ["windows-1252", row("Hélène Lefèvre")],
    ["windows-1252", row("Åsa Öberg")],
    ["windows-1252", row("João Gonçalves")],
    ["ISO-8859-15", row("Lampe à 5 €")],
    ["ISO-8859-15", row("Un cœur à prendre")],
    ["ISO-8859-2", row("Łódź")],
    ["ISO-8859-2", row("Łukasz Wiśniewski")],
    ["ISO-8859-2", "id,name\n1,Příliš žluťoučký kůň\n2,Tomáš Dvořák\n3,Jiří Černý\n4,Plzeňská svítilna\n"],
    ["windows-1250", "id,name\n1,Żółta gęś, kość\n2,Łukasz Wiśniewski\n3,Małgorzata Dąbrowska\n"],
    ["windows-1251", "id,name\n1,Тёплая лампа для чтения\n2,Ночник настольный\n3,Иван Петров\n"],
    ["Shift_JIS", row("山田太郎")],
    ["Shift_JIS", "id,name\n1,読書用ランプ、真鍮\n2,これはとても良いランプです。\n"],
    ["EUC-JP", "id,name\n1,読書用ランプ、真鍮\n2,これはとても良いランプです。\n"],
  ])("is read in %s: %j", async (encoding, text) => {
    const bytes = iconv.encode(text, encoding);
    for (const size of [1, 7, 1_000]) {
      expect(await read(bytes, { size })).toEqual({ text, encoding, repairs: ["guessed_encoding"] });
    }
  });

  it.each(["UTF-16LE", "UTF-16BE"])("is read in %s, with a byte-order mark and without", async (encoding) => {
    const texts = [row("Jörg Müller"), row("山田太郎"), row("Иван Петров"), "名前,説明\n".repeat(20)];
    for (const text of texts) {
      const bytes = iconv.encode(text, encoding, { addBOM: false });
      expect(await read(bytes, { size: 7 })).toEqual({ text, encoding, repairs: [] });
      const marked = iconv.encode(text, encoding, { addBOM: true });
      expect(await read(marked, { size: 7 })).toEqual({ text, encoding, repairs: [] });
    }
  });

  it("is read in the encoding that it or its server declares, if that fits", async () => {
    const greek = '<?xml version="1.0" encoding="ISO-8859-7"?><a>Λάμπα</a>';
    expect(await read(iconv.encode(greek, "ISO-8859-7"))).toEqual({ text: greek, encoding: "ISO-8859-7", repairs: [] });
    const turkish = row("Işık Yıldırım");
    expect(await read(iconv.encode(turkish, "windows-1254"), { charset: "windows-1254" })).toMatchObject({
      text: turkish,
      repairs: [],
    });
    const japanese = "id,name\n1,読書用ランプ、真鍮\n2,これはとても良いランプです。\n";
    // A server's default charset says nothing about the file.
    expect(await read(iconv.encode(japanese, "Shift_JIS"), { charset: "iso-8859-1" })).toMatchObject({
      text: japanese,
    });
    expect(await read(Buffer.from(turkish), { charset: "iso-8859-1" })).toEqual({
      text: turkish,
      encoding: "UTF-8",
      repairs: [],
    });
  });

  it("reads single letters of another encoding within UTF-8, and replaces only what was cut", async () => {
    const bytes = Buffer.concat([
      Buffer.from("id,name\n1,Lampe dorée\n2,Lampe à poser\n3,"),
      Buffer.from("Château, été", "latin1"),
      Buffer.from("\n4,Lampe de caf\xc3,", "latin1"),
      Buffer.from("\n5,Größe\n"),
    ]);
    for (const size of [1, 2, 3, 1_000]) {
      const { text, encoding } = await read(bytes, { size });
      expect(text).toBe("id,name\n1,Lampe dorée\n2,Lampe à poser\n3,Château, été\n4,Lampe de caf\uFFFD,\n5,Größe\n");
      expect(encoding).toBe("UTF-8, windows-1252");
    }
  });
});

/** A ZIP archive as common programs write it. */
function zipOf(files: Record<string, Buffer>, { flags = 0, sum = 0 } = {}): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const packed = deflateRawSync(bytes);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(flags, 2);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE((crc32(bytes) ^ sum) >>> 0, 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(bytes.length, 18);
    header.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), header, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), header, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(central.length, 8);
  end.writeUInt16LE(central.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}

describe("a ZIP archive", () => {
  const text = row("Jörg Müller");

  it("with one file is read, also inside gzip and with macOS metadata", async () => {
    const zip = zipOf({ "orders.csv": Buffer.from(text, "latin1") });
    for (const bytes of [zip, gzipSync(zip)]) {
      expect(await read(bytes, { size: 7 })).toMatchObject({ text, encoding: "windows-1252" });
    }
    const mac = zipOf({
      "feed/": Buffer.alloc(0),
      "feed/orders.csv": Buffer.from(text),
      "__MACOSX/feed/._orders.csv": Buffer.from("Mac"),
    });
    expect(await read(mac)).toMatchObject({ text, encoding: "UTF-8" });
  });

  it.each([
    ["two files", zipOf({ "a.csv": Buffer.from(text), "b.csv": Buffer.from(text) }), /more than one file/],
    ["no file", zipOf({}), /no file/],
    ["a password", zipOf({ "a.csv": Buffer.from(text) }, { flags: 1 }), /password/],
    ["no end", zipOf({ "a.csv": Buffer.from(text) }).subarray(0, 60), /can’t be unpacked/],
    [
      "an Excel workbook",
      zipOf({ "[Content_Types].xml": Buffer.from("<a/>"), "xl/workbook.xml": Buffer.from("<a/>") }),
      /Excel workbook. Save it as CSV/,
    ],
  ])("with %s is rejected with a message", async (_what, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: "invalid_field",
      message: expect.stringMatching(message),
    });
  });

  it("is read as far as possible if damaged, and reported as incomplete", async () => {
    const report = new FeedReport();
    const damaged = pieces(zipOf({ "a.csv": Buffer.from(text) }, { sum: 1 }), 100);
    expect((await Array.fromAsync(readText(damaged, report))).join("")).toBe(text);
    expect(report.incomplete).toBe("zip_damaged");
  });
});

it("a gzip or ZIP file may not unpack to more than its limit, 4 GiB by default", async () => {
  const { MAX_UNPACKED_BYTES } = await import("@/lib/platform/parsing/unpack");
  expect(MAX_UNPACKED_BYTES).toBe(4 * 1024 ** 3);
  const long = Buffer.alloc(300_000, "id,name\n");
  for (const bytes of [gzipSync(long), zipOf({ "a.csv": long }), gzipSync(gzipSync(long))]) {
    const readAll = (maxUnpacked: number) =>
      Array.fromAsync(readText(pieces(bytes, 500), new FeedReport(), { maxUnpacked }));
    await expect(readAll(200_000)).rejects.toMatchObject({
      code: "invalid_field",
      message: "The unpacked file is larger than 200,000 bytes.",
    });
    expect((await readAll(300_000)).join("")).toHaveLength(300_000);
  }
});

// Feeds of real stores, which can be read but not shipped, converted to other encodings.
const real = path.resolve(import.meta.dirname, "../../../../shared/data/feeds");
describe.skipIf(!existsSync(real))("real feeds in other encodings (run where ../shared/data is)", () => {
  it.each([
    ["solea-fr.rss.xml", "windows-1252"],
    ["solea-fr.rss.xml", "ISO-8859-15"],
    ["avernas-sv.rss.xml", "windows-1252"],
    ["tehnoholod-ru.csv", "windows-1251"],
    ["tehnoholod-ru.csv", "KOI8-R"],
    ["tehnoholod-ru.csv", "UTF-16LE"],
    ["tehnoholod-ru.csv", "UTF-8"],
  ])("%s in %s", async (name, encoding) => {
    const lines = (await readFile(path.join(real, name), "utf8")).replace(/^<\?xml.*?\?>/, "").split("\n");
    const text = lines.filter((line) => iconv.decode(iconv.encode(line, encoding), encoding) === line).join("\n");
    expect(text).toMatch(/[^\0-\x7f]/);
    const result = await read(iconv.encode(text, encoding), { size: 65_536 });
    expect(result.text === text).toBe(true);
    // Most Western letters are the same in both.
    if (encoding !== "ISO-8859-15" || /[€œŒšž]/.test(text)) expect(result.encoding).toBe(encoding);
  });

  it("UTF-8 samples are unchanged", async () => {
    const file = path.join(real, "samsung-kz.atom.xml");
    const report = new FeedReport();
    const text = (await Array.fromAsync(readText(createReadStream(file), report))).join("");
    expect(text === (await readFile(file, "utf8")).replace(/^\ufeff/, "")).toBe(true);
    expect(report.encoding).toBe("UTF-8");
  });
});
