import { createReadStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OrderRow, type ReadOrdersOptions, readOrders } from "@/lib/feeds/read-orders";
import { AppError } from "@/lib/platform/errors";

const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);

async function read(input: AsyncIterable<Uint8Array>, options?: ReadOrdersOptions) {
  const feed = readOrders(input, options);
  const rows = (await Array.fromAsync(feed.batches())).flat();
  return { rows, report: feed.report };
}
/** Feeds the text in small pieces, so that values span them. */
const readText = (text: string, size = 7, options?: ReadOrdersOptions) => {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return read(Readable.from(pieces), options);
};
const reasons = (rows: OrderRow[]) => rows.map((row) => ("reason" in row ? row.reason : "taken"));

const ada = {
  id: "1001",
  store_name: "Stockholm",
  customer: { id: "c-1", name: "Ada Berg", email: "ada@customers.example", phone: "+46 70 1", lang: "sv" },
};
const large = {
  id: "LAN-1",
  family_id: "LAN",
  delivery_date: "2026-11-01",
  name: 'Lantern "brass", large',
  category: "Lamps > Table",
  url: "https://lanterna.example/p/1",
  image_url: "https://lanterna.example/i/1.jpg",
  reviewable: true,
  properties: { manufacturer: "Lanterna", colour: "brass" },
};
const small = {
  id: "LAN-2",
  family_id: "LAN",
  delivery_date: "2026-11-03",
  name: "Lantern small",
  category: "Lamps > Table",
  url: "https://lanterna.example/p/2",
  reviewable: false,
  properties: { manufacturer: "Lanterna", colour: "oak" },
};
const bo = {
  id: "1002",
  customer: { id: "bo@customers.example", name: "Bo Ek", email: "Bo@Customers.example" },
  items: [{ id: "LAN-3", delivery_date: "2026-11-02" }],
};

describe("an order feed", () => {
  it.each(["xml", "json"])("as %s has whole orders", async (format) => {
    const { rows, report } = await read(createReadStream(fixture(`lanterna-orders.${format}`)));
    expect(rows).toEqual([
      { row: 1, flat: false, order: { ...ada, items: [large, small] } },
      { row: 2, flat: format === "xml", order: bo },
    ]);
    expect(report.warnings).toEqual([]);
    expect(report.incomplete).toBeNull();
  });

  it("as CSV has one item per row", async () => {
    const { rows, report } = await read(createReadStream(fixture("lanterna-orders.csv")));
    expect(rows).toEqual([
      { row: 1, flat: true, order: { ...ada, items: [large] } },
      { row: 2, flat: true, order: { ...ada, items: [small] } },
      { row: 3, flat: true, order: bo },
    ]);
    expect(report.repairs).toEqual([]);
  });

  it("with broken rows returns the others, and reports no customer data", async () => {
    const { rows, report } = await read(createReadStream(fixture("lanterna-orders-broken.csv")));
    expect(reasons(rows)).toEqual([
      "taken",
      "taken",
      "order_id_missing",
      "customer_id_missing",
      "taken",
      "sku_missing",
      "delivery_date_invalid",
      "delivery_date_invalid",
      "reviewable_invalid",
      "taken",
      "taken",
    ]);
    expect(report.warnings).toEqual([
      { row: 5, field: "customer_email", reason: "not_an_address" },
      { row: 5, field: "url", reason: "not_an_address" },
    ]);
    expect(rows[9]).toMatchObject({ order: { id: "2008", items: [] } });
  });

  it("is rejected if it is something else", async () => {
    for (const text of [
      "",
      "title,link\nx,y\n",
      "<html><body/></html>",
      "<products><product/></products>",
      '{"products": []}',
    ]) {
      await expect(readText(text), text).rejects.toMatchObject({ code: "invalid_field" });
    }
    expect((await readText("<orders></orders>")).rows).toEqual([]);
    expect((await readText('{"orders": []}')).rows).toEqual([]);
  });

  it("accepts our own API's response", async () => {
    const answer = {
      data: [
        {
          id: "A/1",
          store_name: null,
          created_at: "2026-01-01T00:00:00Z",
          customer: { id: "c", name: "Ann", email: null, phone: null, lang: null, opt_out: true, created_at: "x" },
          items: [
            {
              id: "s",
              family_id: "f",
              delivery_date: null,
              properties: { size: "L" },
              deleted: false,
              reviewable: true,
              updated_at: "x",
            },
          ],
        },
      ],
      links: {},
    };
    expect((await readText(JSON.stringify(answer))).rows).toEqual([
      {
        row: 1,
        flat: false,
        order: {
          id: "A/1",
          customer: { id: "c", name: "Ann", opt_out: true },
          items: [{ id: "s", family_id: "f", reviewable: true, properties: { size: "L" } }],
        },
      },
    ]);
  });

  it("in XML, closes unclosed items and orders at the next one, and reports truncation", async () => {
    const unclosed = await readText(
      "<orders><order><order_id>1</order_id><customer_id>c</customer_id><items><item><sku>a</sku><item><sku>b</sku></item></items></order></orders>",
    );
    expect(unclosed.rows[0]).toMatchObject({ order: { items: [{ id: "a" }, { id: "b" }] } });
    expect(unclosed.report.repairs).toMatchObject([{ kind: "unclosed_element" }]);
    const cut = await readText(
      "<orders><order><order_id>1</order_id><customer_id>c</customer_id><item><sku>a</sku></item></order><order><order_id>2</order_id><customer_id>c</customer_id><item><sku>b</sku>",
    );
    expect(reasons(cut.rows)).toEqual(["taken", "truncated"]);
    expect(cut.report.incomplete).toBe("xml_cut_short");
  });

  it("accepts an order of 2,000 items and rejects a larger one", async () => {
    const order = (count: number) =>
      `<orders><order><order_id>1</order_id><customer_id>c</customer_id>${Array.from({ length: count }, (_, at) => `<item><sku>s${at}</sku><name>Item ${at}</name></item>`).join("")}</order></orders>`;
    const { rows } = await readText(order(2_000), 65_536);
    expect(rows).toMatchObject([{ order: { items: { length: 2_000 } } }]);
    expect(reasons((await readText(order(2_001), 65_536)).rows)).toEqual(["items_invalid"]);
    expect(reasons((await readText(order(100_000), 65_536)).rows)).toEqual(["too_long"]);
  });

  it("throws only AppError, for any bytes", async () => {
    const words = [
      "<orders>",
      "<order>",
      "</order>",
      "<item>",
      "</item>",
      "<sku>",
      "</sku>",
      "order_id",
      "1",
      '"',
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      "\n",
      "customer_id",
      "items",
      "\0",
      "é",
      "<order_id>9</order_id>",
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 40 }), async (parts) => {
        const text = parts.join("");
        const outcome = (size: number) =>
          readText(text, size).then(
            ({ rows }) => rows,
            (error) => {
              expect(error).toBeInstanceOf(AppError);
              return "refused";
            },
          );
        expect(await outcome(3)).toEqual(await outcome(1_000));
      }),
      { numRuns: 300 },
    );
  });
});
