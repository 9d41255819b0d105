import { pool, transaction } from "@/lib/db/pool";
import { selectErased } from "@/lib/integrations/erased-orders";
import type { PartName } from "./parts";
import type { ParquetRow } from "./read-parquet";
import { type KeptRow, readRow } from "./read-row";
import type { ShareSettings } from "./settings";
import {
  dropContacts,
  dropRefusals,
  keepRefusals,
  keepRows,
  markOfContacts,
  markReceipts,
  type Refusal,
  refusedKind,
} from "./sql";

export type TakingRows = {
  clientId: string;
  settings: ShareSettings;
  counts: Record<string, number>;
};

/** Rows that are refused by name in the log, of a run; the others are counted. A wrong column makes a million of them. */
const MOST_REFUSALS = 200;
const AT_ONCE = 1_000;

export const count = (counts: Record<string, number>, name: string, by = 1): void => {
  if (by > 0) counts[name] = (counts[name] ?? 0) + by;
};

/**
 * Takes rows of a table, with their columns told apart, into what is kept. Of a row's versions the one that was imported
 * last counts, whatever the order in which they come. What cannot be taken is noted with its reason, the others go in.
 * `place` names a row without an id. Repeating it changes nothing.
 */
export async function takeRows(
  { clientId, settings, counts }: TakingRows,
  part: PartName,
  told: { row: ParquetRow; place: string }[],
): Promise<void> {
  for (let at = 0; at < told.length; at += AT_ONCE) {
    const newest = new Map<string, KeptRow>();
    const refusals: Refusal[] = [];
    const gone: string[] = [];
    for (const { row, place } of told.slice(at, at + AT_ONCE)) {
      const read = readRow(part, row, settings);
      if ("row" in read) {
        const before = newest.get(read.row.id);
        if (!before || (read.row.imported_at ?? "~") >= (before.imported_at ?? "")) newest.set(read.row.id, read.row);
      } else if ("fault" in read) {
        count(counts, "failed");
        if ((counts.failed ?? 0) <= MOST_REFUSALS)
          refusals.push({
            kind: refusedKind(part),
            subject: read.id ?? place,
            reason: read.fault,
          });
      } else if (read.skipped === "gone") gone.push(String(row.id));
      else count(counts, read.skipped);
    }
    await keepRefusals(pool(), clientId, refusals);
    if (gone.length > 0) await dropContacts(pool(), clientId, gone);
    await keep(clientId, part, [...newest.values()], counts);
  }
}

async function keep(clientId: string, part: PartName, rows: KeptRow[], counts: Record<string, number>): Promise<void> {
  if (rows.length === 0) return;
  let wanted = rows;
  const contacts = [...new Set(rows.flatMap(({ contact_id }) => contact_id ?? []))];
  if (contacts.length > 0) {
    const erased = await selectErased(pool(), clientId, "share", "contact", contacts);
    wanted = rows.filter(({ contact_id }) => !erased.has(contact_id ?? ""));
    count(counts, "erased", rows.length - wanted.length);
  }
  // Whoever dies in between reads the file again, and would find nothing new in it.
  const kept = await transaction(async (db) => {
    const found = await keepRows(db, clientId, part, wanted);
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await dropRefusals(db, clientId, refusedKind(part), ids);
    if (part === "contacts") await markOfContacts(db, clientId, ids);
    if (part === "receipts") await markReceipts(db, clientId, ids);
    if (part === "items") await markReceipts(db, clientId, [...new Set(found.flatMap((one) => one.receipt_id ?? []))]);
    return ids.length;
  });
  count(counts, part, kept);
}
