import { holdErasures, noteErased, selectErased, tellingOfErased } from "@/lib/orders/erased";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { keep } from "@/lib/platform/notices";
import type { PartName } from "./parts";
import type { ParquetRow } from "./read-parquet";
import { type KeptRow, readRow, type Whose } from "./read-row";
import type { ShareSettings } from "./settings";
import {
  deleteLines,
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

type Taking = Pick<TakingRows, "clientId" | "settings">;

/** Rows that are refused by name in the log, of a run; the others are counted. A wrong column makes a million of them. */
export const MOST_REFUSALS = 200;
const AT_ONCE = 1_000;

export const count = (counts: Record<string, number>, name: string, by = 1): void => {
  if (by > 0) counts[name] = (counts[name] ?? 0) + by;
};

/**
 * Takes rows of a table, with their columns told apart, into what is kept. Of a row's versions the one that was imported
 * last counts, whatever the order in which they come; that the platform deleted a contact is a version, too. What cannot be
 * taken is noted with its reason, the others go in. `place` names a row without an id, `read` is the moment by the database's
 * clock at which they began to be read. Repeating it changes nothing.
 */
export async function takeRows(
  { clientId, settings, counts }: TakingRows,
  part: PartName,
  told: { row: ParquetRow; place: string }[],
  read: Date,
): Promise<void> {
  for (let at = 0; at < told.length; at += AT_ONCE) {
    const newest = new Map<string, KeptRow>();
    const refusals: Refusal[] = [];
    for (const { row, place } of told.slice(at, at + AT_ONCE)) {
      const found = readRow(part, row, settings);
      if ("row" in found) {
        const before = newest.get(found.row.id);
        if (!before || (found.row.imported_at ?? "~") >= (before.imported_at ?? ""))
          newest.set(found.row.id, found.row);
      } else if ("fault" in found) {
        count(counts, "failed");
        if ((counts.failed ?? 0) <= MOST_REFUSALS)
          refusals.push({
            kind: refusedKind(part),
            subject: found.id ?? place,
            reason: keep({ reason: found.fault }),
            whose: found.whose,
          });
      } else count(counts, found.skipped);
    }
    await noteRefused(clientId, refusals, read);
    await keepNewest({ clientId, settings, counts }, part, [...newest.values()]);
  }
}

/** Nobody is erased meanwhile: who was is known here, and who will be takes this along. */
async function noteRefused(clientId: string, refusals: Refusal[], read: Date): Promise<void> {
  if (refusals.length === 0) return;
  await transaction(async (db) => {
    await holdErasures(db, clientId);
    await keepRefusals(db, clientId, await unerased(db, clientId, refusals, read));
  });
}

/**
 * Nothing is said of people who were erased: of contacts and receipts that went with them, and of customers and addresses
 * that were erased since the row was read, of whose contacts nothing else was known.
 */
async function unerased(db: Db, clientId: string, refusals: Refusal[], read: Date): Promise<Refusal[]> {
  const named = (name: keyof Whose) => refusals.flatMap(({ whose }) => whose[name] ?? []);
  const contacts = await selectErased(db, clientId, "contact", named("contact"));
  const receipts = await selectErased(db, clientId, "receipt", named("receipt"));
  const people = await tellingOfErased(db, clientId, refusals, ({ whose: { customer, email } }) => ({
    customer,
    email,
    since: read,
  }));
  // A line that names its contact is theirs, whatever its receipt says.
  const wentWithReceipt = ({ kind, whose: { contact, receipt } }: Refusal) =>
    (kind === refusedKind("receipts") || contact === undefined) && receipts.has(receipt ?? "");
  const isErased = (one: Refusal) =>
    contacts.has(one.whose.contact ?? "") || wentWithReceipt(one) || people.includes(one);
  return refusals.filter((one) => !isErased(one));
}

async function keepNewest({ clientId, settings, counts }: TakingRows, part: PartName, rows: KeptRow[]): Promise<void> {
  if (rows.length === 0) return;
  // All together: whoever dies in between reads the file again, and would find nothing new in it. And who is erased
  // meanwhile either was so by now, or goes with what this brings.
  const { kept, erased } = await transaction(async (db) => {
    const wanted = await unerasedRows(db, { clientId, settings }, part, rows);
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

/** Those that are of nobody who was erased, who is held until the transaction ends. */
async function unerasedRows(
  db: Db,
  { clientId, settings }: Taking,
  part: PartName,
  rows: KeptRow[],
): Promise<KeptRow[]> {
  const contacts = [...new Set(rows.flatMap(({ contact_id }) => contact_id ?? []))];
  const receipts = [...new Set(rows.flatMap(({ receipt_id }) => receipt_id ?? []))];
  if (contacts.length === 0 && receipts.length === 0) return rows;
  // A contact that was never taken has no row to be held by, and may yet be known by what is said of a refused one.
  await holdErasures(db, clientId);
  await holdContacts(db, clientId, { contacts, receipts });
  const gone = await selectErased(db, clientId, "contact", contacts);
  const isGone = ({ contact_id }: KeptRow) => contact_id !== null && gone.has(contact_id);
  if (part === "receipts") {
    // Its lines may name nobody but the receipt, and come after it as before it.
    const left = rows.filter(isGone).map(({ id }) => id);
    await noteErased(db, clientId, "receipt", left);
    await deleteLines(db, clientId, left);
  }
  const unnamed = rows.flatMap(({ contact_id, receipt_id }) => (contact_id === null && receipt_id) || []);
  const bought = await selectErased(db, clientId, "receipt", unnamed);
  // Who was erased before receipts were noted is known by the orders, where these have their numbers.
  if (settings.order_id === "receipt_id")
    for (const receipt of await selectErased(db, clientId, "order", unnamed)) bought.add(receipt);
  return rows.filter((row) => (row.contact_id === null ? !bought.has(row.receipt_id ?? "") : !isGone(row)));
}
