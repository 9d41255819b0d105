import { type FeedOrder, isOrderField, isOrderHeader, toOrder } from "@/lib/feeds/order-fields";
import type { RowNames } from "@/lib/platform/parsing/raw-row";
import { type FeedFormat, rawRows } from "@/lib/platform/parsing/raw-rows";
import { readText } from "@/lib/platform/parsing/read-text";
import { FeedReport } from "@/lib/platform/parsing/report";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";

/** An order, or a part of one, or why the row has none. */
export type OrderRow = ({ row: number } & FeedOrder) | { row: number; reason: string };

export type ReadOrdersOptions = {
  /** File format; detected from the content by default. */
  format?: FeedFormat;
  /** A hint if the content is ambiguous: `.tsv` is tab-separated. */
  filename?: string;
  /** Encoding the server named for the file. */
  charset?: string;
};

const names: RowNames = {
  rows: ["order"],
  roots: ["orders"],
  lines: ["item", "order_item", "orderitem", "line", "line_item", "order_line", "product"],
  members: ["items", "order_items", "lines", "line_items", "products"],
};
const onHeader = (keys: string[]) => {
  if (!isOrderHeader(keys)) throw unreadableFile("orders_without_id");
};
const shape = { onHeader, names, lists: ["orders", "data"], examples: "order_id, customer_id, sku" };

/**
 * Reads an order feed as a stream: XML (`<orders><order>` with nested `<item>`), JSON (an array, or `{"orders": […]}`,
 * with `items`), CSV and TSV with one item per row and repeated order columns (`<order>` elements and objects may also
 * be one item each); gzipped, zipped or plain, in any encoding. Holds one row and one piece of the input in memory.
 *
 * Corrections are recorded in `report`; unusable rows are returned with a reason. Throws `invalid_field` (field `file`)
 * for a file that isn't an order feed, always before the first row.
 */
export function readOrders(input: AsyncIterable<Uint8Array>, options: ReadOrdersOptions = {}) {
  const report = new FeedReport();
  async function* batches(): AsyncGenerator<OrderRow[]> {
    const reading = { ...options, ...shape, isKnownColumn: isOrderField };
    for await (const raws of rawRows(readText(input, report, options), reading, report)) {
      yield raws.map((raw) => {
        if ("reason" in raw) return raw;
        const order = toOrder(raw, report);
        return typeof order === "string" ? { row: raw.row, reason: order } : { row: raw.row, ...order };
      });
    }
  }
  return { batches, report };
}
