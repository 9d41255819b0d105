import { createHash } from "node:crypto";
import { pool } from "@/lib/db/pool";
import { selectErased } from "@/lib/integrations/erased-orders";
import { type Fate, keepFates, noteTaken, selectKnown } from "@/lib/integrations/order-fates";
import { postApart } from "@/lib/integrations/post-apart";
import type { OrderInput } from "@/lib/orders/schema";
import { leftOf, mapReceipt } from "./map-receipt";
import { type LineRow, markDone, selectGoneLines, selectLines, selectTodo } from "./sql";
import { count, type TakingRows } from "./take-rows";

type Candidate = { receiptId: string; order: OrderInput; told: Told };
/** What an order said last, as hashes: its head, and each item by its SKU. */
type Told = { head: string; items: Record<string, string> };

const AT_ONCE = 200;

/**
 * Makes orders of receipts for which something changed, some at a time, as if each had been posted to `/v1/orders`. What
 * an order said before is not said again, item by item: a delivery that a customer moved stays moved. Receipts of erased
 * people stay away. What cannot be taken is noted with its reason, the others go in. False where none is left.
 */
export async function takeReceipts(taking: TakingRows & { timeZone: string }): Promise<boolean> {
  const { clientId, settings, timeZone, counts } = taking;
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
  const fates: Fate[] = [];
  const refuse = (receiptId: string, subject: string, reason: string) => {
    count(counts, "failed");
    fates.push({
      kind: "order_refused",
      subject,
      outcome: "failed",
      reason,
      remote_id: receiptId,
      fingerprint: null,
    });
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
        receiptId: receipt.id,
        order: mapped.order,
        told: toldBy(mapped.order),
      });
  }
  const orderIds = [...candidates.keys()];
  const erased = await selectErased(pool(), clientId, "share", "order", orderIds);
  const known = await selectKnown(pool(), clientId, "share", orderIds);
  count(counts, "erased", erased.size);
  const changed: Candidate[] = [];
  for (const [id, candidate] of candidates) {
    const before = known.get(id);
    if (erased.has(id)) continue;
    if (before?.remote_id && before.remote_id !== candidate.receiptId) {
      refuse(candidate.receiptId, candidate.receiptId, doubled);
      continue;
    }
    const fresh = newIn(candidate, readTold(before?.fingerprint ?? null));
    if (fresh) changed.push(fresh);
    else count(counts, "unchanged");
  }
  await noteTaken(
    pool(),
    clientId,
    "share",
    changed.map(({ order, receiptId }) => ({ subject: order.id, remote_id: receiptId })),
  );
  const stored = await postApart(clientId, changed, ({ receiptId, order }, reason) =>
    refuse(receiptId, order.id, reason),
  );
  count(counts, "imported", stored.length);
  for (const { receiptId, order, told } of stored)
    fates.push({
      kind: "order",
      subject: order.id,
      outcome: "imported",
      reason: null,
      remote_id: receiptId,
      fingerprint: JSON.stringify(told),
    });
  await keepFates(pool(), clientId, "share", fates);
  await markDone(pool(), clientId, ids);
  return true;
}

const doubled = "another receipt has the same number: choose receipt_id as the order number";

const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

const toldBy = ({ items, ...head }: OrderInput): Told => ({
  head: digest(head),
  items: Object.fromEntries(items.map((item) => [item.id, digest(item)])),
});

function readTold(text: string | null): Told | null {
  return text === null ? null : JSON.parse(text);
}

/** The order with the items that say something new; null where nothing does. */
function newIn(candidate: Candidate, before: Told | null): Candidate | null {
  if (!before) return candidate;
  const { order, told } = candidate;
  const items = order.items.filter((item) => before.items[item.id] !== told.items[item.id]);
  if (items.length === 0 && before.head === told.head) return null;
  return {
    ...candidate,
    order: { ...order, items },
    told: { ...told, items: { ...before.items, ...told.items } },
  };
}
