import { addCount } from "@/lib/integrations/add-count";
import { blockErasures, filterErasedPeople, recordErased, selectErased } from "@/lib/orders/erased-hashes";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { encodeNotices } from "@/lib/platform/notices";
import type { ParquetRow } from "./read-parquet";
import { type RowPerson, readRow, type StoredShareRow } from "./read-row";
import type { ShareSettings } from "./settings";
import type { PartName } from "./share-tables";
import {
  deleteLines,
  deleteRefusals,
  lockContacts,
  markReceiptsOfContacts,
  markReceiptsTodo,
  type Refusal,
  refusedKind,
  saveRefusals,
  upsertRows,
} from "./sql";

export type ShareImportContext = {
  clientId: string;
  settings: ShareSettings;
  counts: Record<string, number>;
};

type ShareClientSettings = Pick<ShareImportContext, "clientId" | "settings">;

/**
 * Rejected rows logged individually per run; the others are only counted. A wrong column may reject a million of them.
 */
export const MAX_LOGGED_REFUSALS = 200;
const BATCH_SIZE = 1_000;

/**
 * Stores rows of a table by field names. Of several versions of a row, the one imported last counts, whatever the
 * order; a deleted contact is a version too. Records rejected rows with a reason. `place` names a row without an id,
 * `read` is the database's time when reading began. Idempotent.
 */
export async function importRows(
  { clientId, settings, counts }: ShareImportContext,
  part: PartName,
  rows: { row: ParquetRow; place: string }[],
  read: Date,
): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH_SIZE) {
    const newest = new Map<string, StoredShareRow>();
    const refusals: Refusal[] = [];
    for (const { row, place } of rows.slice(at, at + BATCH_SIZE)) {
      const found = readRow(part, row, settings);
      if ("row" in found) {
        const before = newest.get(found.row.id);
        if (!before || (found.row.imported_at ?? "~") >= (before.imported_at ?? ""))
          newest.set(found.row.id, found.row);
      } else if ("fault" in found) {
        addCount(counts, "failed");
        if ((counts.failed ?? 0) <= MAX_LOGGED_REFUSALS)
          refusals.push({
            kind: refusedKind(part),
            subject: found.id ?? place,
            reason: encodeNotices({ reason: found.fault }),
            whose: found.owner,
          });
      } else addCount(counts, found.skipped);
    }
    await saveUnerasedRefusals(clientId, refusals, read);
    await saveNewestRows({ clientId, settings, counts }, part, [...newest.values()]);
  }
}

/** Blocks erasures: earlier ones are detected here, later ones delete these records. */
async function saveUnerasedRefusals(clientId: string, refusals: Refusal[], read: Date): Promise<void> {
  if (refusals.length === 0) return;
  await transaction(async (db) => {
    await blockErasures(db, clientId);
    await saveRefusals(db, clientId, await withoutErased(db, clientId, refusals, read));
  });
}

/**
 * Omits rejected rows of erased people: of erased contacts and receipts, and of customers and email addresses erased
 * since the row was read, whose contacts aren't known otherwise.
 */
async function withoutErased(db: Db, clientId: string, refusals: Refusal[], read: Date): Promise<Refusal[]> {
  const idsOf = (name: keyof RowPerson) => refusals.flatMap(({ whose }) => whose[name] ?? []);
  const contacts = await selectErased(db, clientId, "contact", idsOf("contact"));
  const receipts = await selectErased(db, clientId, "receipt", idsOf("receipt"));
  const people = await filterErasedPeople(db, clientId, refusals, ({ whose: { customer, email } }) => ({
    customer,
    email,
    since: read,
  }));
  // A line with a contact belongs to it, whatever its receipt says.
  const isErasedWithReceipt = ({ kind, whose: { contact, receipt } }: Refusal) =>
    (kind === refusedKind("receipts") || contact === undefined) && receipts.has(receipt ?? "");
  const isErased = (one: Refusal) =>
    contacts.has(one.whose.contact ?? "") || isErasedWithReceipt(one) || people.includes(one);
  return refusals.filter((one) => !isErased(one));
}

async function saveNewestRows(
  { clientId, settings, counts }: ShareImportContext,
  part: PartName,
  rows: StoredShareRow[],
): Promise<void> {
  if (rows.length === 0) return;
  // In one transaction: after a crash in between, the file is read again and its rows would no longer count as new. A
  // concurrent erasure either precedes it or deletes these rows.
  const { kept: storedRows, erased } = await transaction(async (db) => {
    const remainingRows = await withoutErasedRows(db, { clientId, settings }, part, rows);
    const found = await upsertRows(db, clientId, part, remainingRows);
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) {
      await deleteRefusals(db, clientId, refusedKind(part), ids);
      if (part === "contacts") {
        const deletedContacts = new Set(remainingRows.flatMap(({ id, data }) => (data.gone ? id : [])));
        await markReceiptsOfContacts(
          db,
          clientId,
          ids.filter((id) => !deletedContacts.has(id)),
        );
      }
      if (part === "receipts") await markReceiptsTodo(db, clientId, ids);
      if (part === "items")
        await markReceiptsTodo(db, clientId, [...new Set(found.flatMap((one) => one.receipt_id ?? []))]);
    }
    return { kept: ids.length, erased: rows.length - remainingRows.length };
  });
  addCount(counts, "erased", erased);
  addCount(counts, part, storedRows);
}

/** Rows that don't belong to erased people. Their contacts stay locked until the transaction ends. */
async function withoutErasedRows(
  db: Db,
  { clientId, settings }: ShareClientSettings,
  part: PartName,
  rows: StoredShareRow[],
): Promise<StoredShareRow[]> {
  const contacts = [...new Set(rows.flatMap(({ contact_id }) => contact_id ?? []))];
  const receipts = [...new Set(rows.flatMap(({ receipt_id }) => receipt_id ?? []))];
  if (contacts.length === 0 && receipts.length === 0) return rows;
  // A contact that was never stored has no row to lock, and may only be known from a rejected row.
  await blockErasures(db, clientId);
  await lockContacts(db, clientId, { contacts, receipts });
  const erasedContacts = await selectErased(db, clientId, "contact", contacts);
  const isOfErasedContact = ({ contact_id }: StoredShareRow) => contact_id !== null && erasedContacts.has(contact_id);
  if (part === "receipts") {
    // Its lines may refer only to the receipt, and arrive before or after it.
    const erasedRowIds = rows.filter(isOfErasedContact).map(({ id }) => id);
    await recordErased(db, clientId, "receipt", erasedRowIds);
    await deleteLines(db, clientId, erasedRowIds);
  }
  const unnamed = rows.flatMap(({ contact_id, receipt_id }) => (contact_id === null && receipt_id) || []);
  const erasedReceipts = await selectErased(db, clientId, "receipt", unnamed);
  // People erased before receipts were recorded are known by their orders, if these use receipt ids.
  if (settings.order_id === "receipt_id")
    for (const receipt of await selectErased(db, clientId, "order", unnamed)) erasedReceipts.add(receipt);
  return rows.filter((row) =>
    row.contact_id === null ? !erasedReceipts.has(row.receipt_id ?? "") : !isOfErasedContact(row),
  );
}
