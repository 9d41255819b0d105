import type { PoolClient } from "pg";
import type { ImportOrigin, StoredReport } from "@/lib/feeds/import-records";
import { type OrderRow, type ReadOrdersOptions, readOrders } from "@/lib/feeds/read-orders";
import { runImport, stageRows, Tally } from "@/lib/feeds/run-import";
import { blockErasures, getReadStart, hasErasedOrders, selectErasedAmong } from "@/lib/orders/erased";
import type { OrderInput } from "@/lib/orders/schema";
import { storeOrders } from "@/lib/orders/store-order";
import { isSerializationFailure, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { readSource } from "@/lib/platform/parsing/read-source";
import { personHash } from "@/lib/platform/secrets/person-hash";
import * as sql from "./order-sql";

export type ImportOrdersOptions = ReadOrdersOptions &
  ImportOrigin & {
    /** says what would happen, and writes nothing */
    dryRun?: boolean;
    /** since when the file is as it is read, where that is longer than the import is at work */
    since?: Date;
    onProgress?: (progress: { read: number; written: number }) => void;
  };

/** Orders of a transaction at first; fewer where it takes too long. */
const BATCH_SIZE = 500;
const MAX_ATTEMPTS = 8;

/**
 * Takes an order feed into a client, as if each order had been posted: items are added or updated, never removed; what a
 * row leaves out stays; customers are invited when their items are due. Rows that are one item each are put together by
 * order. Of an order that comes twice as a whole, and of an item that does, the last row counts.
 *
 * The rows are staged as they are read, and a file that is no feed is refused before anything is written. What would
 * change something is then stored in batches; the same feed again changes nothing. An import that dies leaves what is
 * committed; the same one again does the rest. The report counts rows, and tells no customer's data.
 *
 * Nobody who was erased comes back: orders that went with them stay away in every later import (those posted anew by the API
 * are the merchant's word and are taken), and so does all that the file says of people who are erased while it is read. Such
 * rows are `rejected` with the reason `erased`. What an erased person orders later comes in; a feed does not say when something
 * was ordered, so one that is told for the first time after the erasure is later.
 *
 * Throws AppError `not_found` for an unknown client, `invalid_field` (field `file`) for a file that cannot be read.
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
    const tally = new Tally();
    await sql.createStage(db);
    const toLine = (row: OrderRow): string => {
      tally.read += 1;
      if ("order" in row) return sql.copyOrder(row, hashes ? personHash(clientId, "order", row.order.id) : null);
      tally.reject(row);
      return "";
    };
    await stageRows(db, sql.COPY_ORDERS, feed.batches(), toLine, () => onProgress?.({ read: tally.read, written: 0 }));
    // Two imports of one client come one after the other; a rehearsal need not wait.
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

/** `importOrders` from a file on this machine or from an http(s) address, as the operator names it. */
export const importOrdersFrom = (
  clientId: string,
  fileOrUrl: string,
  options: ImportOrdersOptions = {},
): Promise<StoredReport> =>
  readSource(fileOrUrl, (input, names) => importOrders(clientId, input, { ...names, ...options }));

/** Stores what would change something, batch by batch. Answers the orders that stayed away, since their people were erased. */
async function writeBatches(
  db: PoolClient,
  clientId: string,
  since: Date,
  onProgress: (written: number) => void,
): Promise<string[]> {
  await sql.prepareWrites(db);
  const erased: string[] = [];
  let after: sql.Position = { turn: 0, last: 0 };
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

/** Stores orders, but for those of erased people, whom nobody erases meanwhile. Answers which these are. */
function storeUnlessErased(clientId: string, orders: OrderInput[], since: Date): Promise<Set<string>> {
  return transaction(async (db) => {
    await blockErasures(db, clientId);
    const erased = await selectErasedAmong(db, clientId, orders, since);
    const remaining = orders.filter(({ id }) => !erased.has(id));
    if (remaining.length > 0)
      await storeOrders(
        db,
        remaining.map((order) => ({ clientId, customer: order.customer, order })),
      );
    return erased;
  });
}

/** What several rows say of one order: its customer is the last one's, and rows of that customer add to each other. */
function mergeRows(rows: OrderInput[]): OrderInput {
  const last = rows.at(-1)!;
  const ofCustomer = rows.filter(({ customer }) => customer.id === last.customer.id);
  return {
    ...Object.assign({}, ...rows),
    customer: Object.assign({}, ...ofCustomer.map(({ customer }) => customer)),
    items: rows.flatMap(({ items }) => items),
  };
}
