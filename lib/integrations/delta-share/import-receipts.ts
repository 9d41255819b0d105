import { addCount } from "@/lib/integrations/add-count";
import {
  type ImportOutcome,
  importedOutcome,
  refusedOutcome,
  saveRefusedOrders,
  selectPreviousImports,
} from "@/lib/integrations/import-outcomes";
import { findOrderChanges } from "@/lib/integrations/order-changes";
import { storeInBatches } from "@/lib/integrations/store-in-batches";
import { getReadStart, selectErased, selectErasedOrders } from "@/lib/orders/erased-hashes";
import type { OrderInput } from "@/lib/orders/schema";
import { type Db, pool } from "@/lib/platform/db/pool";
import { type EncodedNotices, encodeNotices } from "@/lib/platform/notices";
import { MAX_LOGGED_REFUSALS, type ShareImportContext } from "./import-rows";
import { mapReceipt, remainingQuantities } from "./map-receipt";
import {
  lockContacts,
  markReceiptsDone,
  type ReceiptLineRow,
  selectLines,
  selectReceiptsToImport,
  selectRevokedLines,
} from "./sql";

/** `remoteId`: id of the receipt. */
type Candidate = { remoteId: string; contactId: string; order: OrderInput };

const BATCH_SIZE = 200;

/**
 * Imports a batch of changed receipts as orders, as if they were posted to `/v1/orders`, each with only what changed
 * since its last import, so that dates moved by customers stay. Skips receipts of people erased before or during the
 * import. Records rejected receipts with a reason, up to a limit per run. Returns false if none are left.
 */
export async function importReceipts(context: ShareImportContext & { timeZone: string }): Promise<boolean> {
  const { clientId, settings, timeZone, counts } = context;
  const read = await getReadStart(pool(), clientId);
  const receipts = await selectReceiptsToImport(pool(), clientId, BATCH_SIZE);
  if (receipts.length === 0) return false;
  const ids = receipts.map(({ id }) => id);
  const all = await selectLines(pool(), clientId, ids);
  const remaining = remainingQuantities(all);
  // Revoked lines are included without remaining quantity, so that previously imported items become not reviewable.
  const lines = Map.groupBy(
    [...all, ...(await selectRevokedLines(pool(), clientId, ids))],
    ({ receipt_id }) => receipt_id,
  );
  const outcomes: ImportOutcome[] = [];
  const refuse = (receiptId: string, subject: string, reason: EncodedNotices) => {
    addCount(counts, "failed");
    if ((counts.failed ?? 0) <= MAX_LOGGED_REFUSALS)
      outcomes.push(refusedOutcome(clientId, { subject, remoteId: receiptId, reason }));
  };
  const candidates = new Map<string, Candidate>();
  for (const receipt of receipts) {
    const own: ReceiptLineRow[] = lines.get(receipt.id) ?? [];
    const mapped = mapReceipt(receipt, own, { settings, timeZone, remaining });
    if ("none" in mapped) addCount(counts, mapped.none);
    else if ("notices" in mapped) refuse(receipt.id, receipt.id, mapped.notices);
    else if (candidates.has(mapped.order.id)) refuse(receipt.id, receipt.id, DUPLICATE_RECEIPT);
    else
      candidates.set(mapped.order.id, {
        remoteId: receipt.id,
        contactId: receipt.contact_id,
        order: mapped.order,
      });
  }
  const orderIds = [...candidates.keys()];
  const erased = await selectErasedOrders(pool(), clientId, orderIds);
  const known = await selectPreviousImports(pool(), clientId, "share", orderIds);
  addCount(counts, "erased", erased.size);
  const changed: (Candidate & { fingerprint: string })[] = [];
  for (const candidate of candidates.values()) {
    const { remoteId, order } = candidate;
    const before = known.get(order.id);
    if (erased.has(order.id)) continue;
    if (before?.remote_id && before.remote_id !== remoteId) {
      refuse(remoteId, remoteId, DUPLICATE_RECEIPT);
      continue;
    }
    const changes = findOrderChanges(order, before);
    if (changes) changed.push({ ...candidate, ...changes });
    else addCount(counts, "unchanged");
  }
  const batchImport = {
    clientId,
    type: "share",
    read,
    outcomeOf: ({ remoteId, order, fingerprint }: (typeof changed)[number]) =>
      importedOutcome(order.id, remoteId, fingerprint),
    refuse: ({ remoteId, order }: Candidate, reason: EncodedNotices) => refuse(remoteId, order.id, reason),
    findErased: async (db: Db, batch: typeof changed) => {
      const contacts = batch.map(({ contactId }) => contactId);
      await lockContacts(db, clientId, { contacts });
      const erasedContacts = await selectErased(db, clientId, "contact", contacts);
      return batch.flatMap(({ contactId, order }) => (erasedContacts.has(contactId) ? order.id : []));
    },
  } as const;
  const { stored, erased: erasedMeanwhile } = await storeInBatches(batchImport, changed);
  addCount(counts, "imported", stored.length);
  addCount(counts, "erased", erasedMeanwhile);
  await saveRefusedOrders(clientId, "share", outcomes);
  await markReceiptsDone(pool(), clientId, ids);
  return true;
}

const DUPLICATE_RECEIPT = encodeNotices({ reason: "receipt_number_taken" });
