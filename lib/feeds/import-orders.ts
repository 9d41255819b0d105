import type { PoolClient } from "pg";
import type { ImportOrigin, StoredReport } from "@/lib/feeds/import-records";
import { type OrderRow, type ReadOrdersOptions, readOrders } from "@/lib/feeds/read-orders";
import { ImportTally, runImport, stageRows } from "@/lib/feeds/run-import";
import { blockErasures, getReadStart, hasErasedOrders, selectBlockedOrders } from "@/lib/orders/erased-hashes";
import type { OrderInput } from "@/lib/orders/schema";
import { storeOrders } from "@/lib/orders/store-order";
import { isSerializationFailure, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { readSource } from "@/lib/platform/parsing/read-source";
import { personHash } from "@/lib/platform/secrets/person-hash";
import * as sql from "./order-sql";

export type ImportOrdersOptions = ReadOrdersOptions &
  ImportOrigin & {
    /** Reports what the import would do, and writes nothing. */
    dryRun?: boolean;
    /** Time the file was received, if that is before the import starts. */
    since?: Date;
    onProgress?: (progress: { read: number; written: number }) => void;
  };

/** Initial number of orders per transaction; halved if it takes too long. */
const BATCH_SIZE = 500;
const MAX_ATTEMPTS = 8;

/**
 * Imports an order feed as if each order had been posted: items are added or updated, never removed; what a row leaves
 * out stays; customers are invited when their items are due. Rows with one item each are grouped by order. Of duplicate
 * orders or items, the last row counts.
 *
 * Rows are staged while they are read, and a file that isn't a feed is rejected before anything is written. Changes are
 * then stored in batches. If the import dies, committed batches stay; repeating it does the rest. The report has no
 * customer data.
 *
 * Erased people don't return: rows of orders that were erased with them are `rejected` as `erased` in every later
 * import (unless the merchant posted the order again through the API), and so are all rows about people who are erased
 * during the import. Later orders of an erased person are accepted: a feed doesn't say when an order was placed, so one
 * first seen after the erasure counts as later.
 *
 * Throws `not_found` for an unknown client, `invalid_field` (field `file`) for an unreadable file.
 */
export function importOrders(
  clientId: string,
  input: AsyncIterable<Uint8Array>,
  options: ImportOrdersOptions = {},
): Promise<StoredReport> {
  return runImport(clientId, "orders", options, async (db) => {
    const { dryRun, onProgress } = options;
    const since = options.since ?? (await getReadStart(db, clientId));
    const hashes = await hasErasedOrders(db, clientId);
    const feed = readOrders(input, options);
    const tally = new ImportTally();
    await sql.createStage(db);
    const toLine = (row: OrderRow): string => {
      tally.read += 1;
      if ("order" in row) return sql.copyOrder(row, hashes ? personHash(clientId, "order", row.order.id) : null);
      tally.reject(row);
      return "";
    };
    await stageRows(db, sql.COPY_ORDERS, feed.batches(), toLine, () => onProgress?.({ read: tally.read, written: 0 }));
    // Imports of one client run one after the other; a dry run needn't wait.
    if (!dryRun) await db.query("select pg_advisory_lock(hashtext('candor.orders'), hashtext($1))", [clientId]);
    tally.drop(await sql.dropDuplicates(db));
    if (hashes) tally.drop(await sql.dropErased(db, clientId));
    Object.assign(tally, await sql.classifyStage(db, clientId));
    if (!dryRun) {
      const erased = await writeBatches(db, clientId, since, (written) => onProgress?.({ read: tally.read, written }));
      if (erased.length > 0) {
        tally.drop(await sql.dropErasedMeanwhile(db, erased));
        Object.assign(tally, await sql.countStatuses(db));
      }
    }
    onProgress?.({ read: tally.read, written: tally.read });
    return tally.toReport(feed.report);
  });
}

/** `importOrders` from a local file or an http(s) URL. */
export const importOrdersFrom = (
  clientId: string,
  fileOrUrl: string,
  options: ImportOrdersOptions = {},
): Promise<StoredReport> =>
  readSource(fileOrUrl, (input, names) => importOrders(clientId, input, { ...names, ...options }));

/** Stores changed orders in batches. Returns the orders skipped because their customers were erased. */
async function writeBatches(
  db: PoolClient,
  clientId: string,
  since: Date,
  onProgress: (written: number) => void,
): Promise<string[]> {
  await sql.prepareWrites(db);
  const erased: string[] = [];
  let after: sql.WritePosition = { turn: 0, last: 0 };
  let written = 0;
  for (let limit = BATCH_SIZE, attempt = 1; ; ) {
    const batch = await sql.selectWrites(db, after, limit);
    const last = batch.at(-1);
    if (!last) return erased;
    try {
      const orders = batch.map(({ bodies }) => mergeRows(bodies));
      erased.push(...(await storeUnlessErased(clientId, orders, since)));
    } catch (error) {
      const tooSlow = error instanceof AppError && error.code === "unavailable";
      if (attempt++ === MAX_ATTEMPTS || !(tooSlow || isSerializationFailure(error))) throw error;
      if (tooSlow) limit = Math.ceil(limit / 2);
      continue;
    }
    attempt = 1;
    after = last;
    for (const { bodies } of batch) written += bodies.length;
    onProgress(written);
  }
}

/** Stores orders except those of erased people, and blocks erasures meanwhile. Returns the skipped ids. */
function storeUnlessErased(clientId: string, orders: OrderInput[], since: Date): Promise<Set<string>> {
  return transaction(async (db) => {
    await blockErasures(db, clientId);
    const erased = await selectBlockedOrders(db, clientId, orders, since);
    const remaining = orders.filter(({ id }) => !erased.has(id));
    if (remaining.length > 0)
      await storeOrders(
        db,
        remaining.map((order) => ({ clientId, customer: order.customer, order })),
      );
    return erased;
  });
}

/** Merges rows of one order: the last row's customer counts, with the fields of all rows about that customer. */
function mergeRows(rows: OrderInput[]): OrderInput {
  const last = rows.at(-1)!;
  const ofCustomer = rows.filter(({ customer }) => customer.id === last.customer.id);
  return {
    ...Object.assign({}, ...rows),
    customer: Object.assign({}, ...ofCustomer.map(({ customer }) => customer)),
    items: rows.flatMap(({ items }) => items),
  };
}
