import {
  type ImportOutcome,
  importedOrder,
  keepRefused,
  refusedOrder,
  selectKnown,
} from "@/lib/integrations/import-outcomes";
import { storeInBatches } from "@/lib/integrations/store-in-batches";
import { newsOf } from "@/lib/integrations/told";
import { readingSince, selectErased, selectErasedOrders } from "@/lib/orders/erased";
import type { OrderInput } from "@/lib/orders/schema";
import { type Db, pool } from "@/lib/platform/db/pool";
import { type Kept, keep } from "@/lib/platform/notices";
import { leftOf, mapReceipt } from "./map-receipt";
import { holdContacts, type LineRow, markDone, selectGoneLines, selectLines, selectTodo } from "./sql";
import { count, MOST_REFUSALS, type TakingRows } from "./take-rows";

/** `remoteId`: the receipt's own. */
type Candidate = { remoteId: string; contactId: string; order: OrderInput };

const AT_ONCE = 200;

/**
 * Makes orders of receipts for which something changed, some at a time, as if each had been posted to `/v1/orders`. What
 * an order said before is not said again, item by item: a delivery that a customer moved stays moved. Receipts of erased
 * people stay away, also of those who are erased while it is at work. What cannot be taken is noted with its reason, the
 * first of a run by name, and the others go in. False where none is left.
 */
export async function takeReceipts(taking: TakingRows & { timeZone: string }): Promise<boolean> {
  const { clientId, settings, timeZone, counts } = taking;
  const read = await readingSince(pool(), clientId);
  const receipts = await selectTodo(pool(), clientId, AT_ONCE);
  if (receipts.length === 0) return false;
  const ids = receipts.map(({ id }) => id);
  const all = await selectLines(pool(), clientId, ids);
  const left = leftOf(all);
  // What was taken back is there with nothing left of it, so that it is switched off where it was taken before.
  const lines = Map.groupBy(
    [...all, ...(await selectGoneLines(pool(), clientId, ids))],
    ({ receipt_id }) => receipt_id,
  );
  const fates: ImportOutcome[] = [];
  const refuse = (receiptId: string, subject: string, reason: Kept) => {
    count(counts, "failed");
    if ((counts.failed ?? 0) <= MOST_REFUSALS)
      fates.push(refusedOrder(clientId, { subject, remoteId: receiptId, reason }));
  };
  const candidates = new Map<string, Candidate>();
  for (const receipt of receipts) {
    const own: LineRow[] = lines.get(receipt.id) ?? [];
    const mapped = mapReceipt(receipt, own, { settings, timeZone, left });
    if ("none" in mapped) count(counts, mapped.none);
    else if ("faults" in mapped) refuse(receipt.id, receipt.id, mapped.faults);
    else if (candidates.has(mapped.order.id)) refuse(receipt.id, receipt.id, doubled);
    else
      candidates.set(mapped.order.id, {
        remoteId: receipt.id,
        contactId: receipt.contact_id,
        order: mapped.order,
      });
  }
  const orderIds = [...candidates.keys()];
  const erased = await selectErasedOrders(pool(), clientId, orderIds);
  const known = await selectKnown(pool(), clientId, "share", orderIds);
  count(counts, "erased", erased.size);
  const changed: (Candidate & { fingerprint: string })[] = [];
  for (const candidate of candidates.values()) {
    const { remoteId, order } = candidate;
    const before = known.get(order.id);
    if (erased.has(order.id)) continue;
    if (before?.remote_id && before.remote_id !== remoteId) {
      refuse(remoteId, remoteId, doubled);
      continue;
    }
    const news = newsOf(order, before);
    if (news) changed.push({ ...candidate, ...news });
    else count(counts, "unchanged");
  }
  const posting = {
    clientId,
    type: "share",
    read,
    fateOf: ({ remoteId, order, fingerprint }: (typeof changed)[number]) =>
      importedOrder(order.id, remoteId, fingerprint),
    refuse: ({ remoteId, order }: Candidate, reason: Kept) => refuse(remoteId, order.id, reason),
    erasedAmong: async (db: Db, batch: typeof changed) => {
      const contacts = batch.map(({ contactId }) => contactId);
      await holdContacts(db, clientId, { contacts });
      const gone = await selectErased(db, clientId, "contact", contacts);
      return batch.flatMap(({ contactId, order }) => (gone.has(contactId) ? order.id : []));
    },
  } as const;
  const { stored, erased: meanwhile } = await storeInBatches(posting, changed);
  count(counts, "imported", stored.length);
  count(counts, "erased", meanwhile);
  await keepRefused(clientId, "share", fates);
  await markDone(pool(), clientId, ids);
  return true;
}

const doubled = keep({ reason: "receipt_number_taken" });
