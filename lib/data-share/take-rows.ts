import { pool, transaction } from "@/lib/db/pool";
import { selectErased } from "@/lib/integrations/erased-orders";
import type { PartName } from "./parts";
import type { ParquetRow } from "./read-parquet";
import { type KeptRow, readRow } from "./read-row";
import type { ShareSettings } from "./settings";
import {
  dropRefusals,
  holdContacts,
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
export const MOST_REFUSALS = 200;
const AT_ONCE = 1_000;

export const count = (counts: Record<string, number>, name: string, by = 1): void => {
  if (by > 0) counts[name] = (counts[name] ?? 0) + by;
};

/**
 * Takes rows of a table, with their columns told apart, into what is kept. Of a row's versions the one that was imported
 * last counts, whatever the order in which they come; that the platform deleted a contact is a version, too. What cannot be
 * taken is noted with its reason, the others go in. `place` names a row without an id. Repeating it changes nothing.
 */
export async function takeRows(
  { clientId, settings, counts }: TakingRows,
  part: PartName,
  told: { row: ParquetRow; place: string }[],
): Promise<void> {
  for (let at = 0; at < told.length; at += AT_ONCE) {
    const newest = new Map<string, KeptRow>();
    const refusals: Refusal[] = [];
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
      } else count(counts, read.skipped);
    }
    await keepRefusals(pool(), clientId, part === "contacts" ? await unerased(clientId, refusals) : refusals);
    await keep({ clientId, settings, counts }, part, [...newest.values()]);
  }
}

/** Nothing is said of people who were erased. */
async function unerased(clientId: string, refusals: Refusal[]): Promise<Refusal[]> {
  const contacts = refusals.map(({ subject }) => subject);
  const erased = await selectErased(pool(), clientId, "share", "contact", contacts);
  return refusals.filter(({ subject }) => !erased.has(subject));
}

async function keep({ clientId, settings, counts }: TakingRows, part: PartName, rows: KeptRow[]): Promise<void> {
  if (rows.length === 0) return;
  const contacts = [...new Set(rows.flatMap(({ contact_id }) => contact_id ?? []))];
  const receipts = [...new Set(rows.flatMap(({ receipt_id }) => receipt_id ?? []))];
  // A line may name nobody but its receipt: whose it was is known by the order then, where that has the receipt's id.
  const unnamed =
    settings.order_id === "receipt_id"
      ? rows.flatMap(({ contact_id, receipt_id }) => (contact_id === null && receipt_id) || [])
      : [];
  // All together: whoever dies in between reads the file again, and would find nothing new in it. And who is erased
  // meanwhile either was so by now, or goes with what this brings.
  const { kept, erased } = await transaction(async (db) => {
    let wanted = rows;
    if (contacts.length > 0 || receipts.length > 0) {
      await holdContacts(db, clientId, { contacts, receipts });
      const gone = await selectErased(db, clientId, "share", "contact", contacts);
      const bought = await selectErased(db, clientId, "share", "order", unnamed);
      wanted = rows.filter(({ contact_id, receipt_id }) =>
        contact_id === null ? !bought.has(receipt_id ?? "") : !gone.has(contact_id),
      );
    }
    const found = await keepRows(db, clientId, part, wanted);
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) {
      await dropRefusals(db, clientId, refusedKind(part), ids);
      if (part === "contacts") {
        const gone = new Set(wanted.flatMap(({ id, data }) => (data.gone ? id : [])));
        await markOfContacts(
          db,
          clientId,
          ids.filter((id) => !gone.has(id)),
        );
      }
      if (part === "receipts") await markReceipts(db, clientId, ids);
      if (part === "items")
        await markReceipts(db, clientId, [...new Set(found.flatMap((one) => one.receipt_id ?? []))]);
    }
    return { kept: ids.length, erased: rows.length - wanted.length };
  });
  count(counts, "erased", erased);
  count(counts, part, kept);
}
