import { type ItemInput, OrderInput } from "@/lib/orders/schema";
import { dayIn } from "@/lib/platform/clock";
import { parse } from "@/lib/platform/http/issues";
import { type EncodedNotices, encodeIssues, encodeNotices } from "@/lib/platform/notices";
import type { ShareSettings } from "./settings";
import type { ReceiptLineRow, ReceiptRow } from "./sql";

export type ReceiptContext = {
  settings: ShareSettings;
  timeZone: string;
  remaining: ReadonlyMap<string, number>;
};

/**
 * `waiting`: its contact or items are missing so far; `returns`: it contains no purchase; `other_stores`: it's from a
 * store that isn't selected. `notices`: why it can't be imported, without customer data.
 */
export type MappedReceipt =
  | { order: OrderInput }
  | { none: "waiting" | "returns" | "other_stores" }
  | { notices: EncodedNotices };

/**
 * Remaining quantity by line id. A return is subtracted from the person's latest earlier purchases of the same SKU,
 * since the platform doesn't link returns to receipts. `lines`: all of these people and SKUs, oldest first.
 */
export function remainingQuantities(lines: ReceiptLineRow[]): Map<string, number> {
  const remaining = new Map<string, number>();
  const purchasesByKey = new Map<string, string[]>();
  for (const { id, contact_id, sku, data } of lines) {
    const key = JSON.stringify([contact_id, sku]);
    const own = purchasesByKey.get(key) ?? [];
    purchasesByKey.set(key, own);
    const quantity = Number(data.quantity ?? 1);
    if (!data.returned) {
      remaining.set(id, quantity);
      own.push(id);
      continue;
    }
    let remainingReturn = quantity;
    for (const before of own.toReversed()) {
      const available = remaining.get(before) ?? 0;
      remaining.set(before, Math.max(0, available - remainingReturn));
      remainingReturn -= Math.min(available, remainingReturn);
    }
  }
  return remaining;
}

/** Maps a receipt with its contact, store and lines to the body of `POST /v1/orders`. */
export function mapReceipt(
  receipt: ReceiptRow,
  lines: ReceiptLineRow[],
  { settings, timeZone, remaining }: ReceiptContext,
): MappedReceipt {
  const { contact, store, data } = receipt;
  if (!isFromSelectedStore(receipt, settings)) return { none: "other_stores" };
  if (!contact || lines.length === 0) return { none: "waiting" };
  const purchases = lines.filter((line) => !line.data.returned);
  if (purchases.length === 0) return { none: "returns" };
  const id = settings.order_id === "receipt_number" ? data.number : receipt.id;
  if (typeof id !== "string") return { notices: encodeNotices({ reason: "receipt_without_number" }) };
  const isStore = store?.data.type !== undefined && store.data.type !== "ECOMM";
  const after = isStore ? settings.store_days : settings.online_days;
  const { email, name, lang, accepts } = contact.data;
  const parsed = parse(OrderInput, {
    order: {
      id,
      ...(store?.data.name !== undefined && {
        store_name: truncateId(String(store.data.name)),
      }),
      customer: {
        id: contact.customer_id,
        ...(name !== undefined && { name }),
        ...(email !== undefined && { email }),
        ...(lang !== undefined && { lang }),
        // Only an explicit preference is applied.
        ...(settings.use_opt_out && accepts !== undefined && { opt_out: !accepts }),
      },
      items: itemsOf(purchases, (line) => deliveryDateOf(line.at, after, timeZone), remaining, settings),
    },
  });
  if (parsed.issues === null) return { order: parsed.data.order };
  return { notices: encodeIssues(parsed.issues, "order") };
}

/** Truncates a name or id to its maximum length in characters. */
const truncateId = (text: string): string => [...text].slice(0, 255).join("");

function isFromSelectedStore({ store, data }: ReceiptRow, { stores }: ShareSettings): boolean {
  if (stores.length === 0) return true;
  const names = [data.store, store?.id, store?.data.external_id, store?.data.name];
  return names.some((name) => typeof name === "string" && stores.includes(name));
}

function deliveryDateOf(at: string, days: number, timeZone: string): string | null {
  const purchaseTime = Date.parse(at);
  return Number.isNaN(purchaseTime) ? null : dayIn(timeZone, new Date(purchaseTime + days * 86_400_000));
}

/**
 * Merges lines of one SKU into an item, reviewable while any quantity is left. Never sets reviewable to true. An item is
 * `returned` only by lines that the platform still has: revoked ones weren't returned.
 */
function itemsOf(
  lines: ReceiptLineRow[],
  deliveryDate: (line: ReceiptLineRow) => string | null,
  remaining: ReadonlyMap<string, number>,
  { invite_returned }: ShareSettings,
): Partial<ItemInput>[] {
  const bySku = new Map<string, { item: Partial<ItemInput>; open: number; returned: boolean | undefined }>();
  for (const line of lines) {
    const left = remaining.get(line.id);
    const open = left ?? 0;
    const returned = left === undefined ? undefined : left < Number(line.data.quantity ?? 1);
    const known = bySku.get(line.sku);
    if (known) {
      known.open += open;
      if (returned !== undefined) known.returned ||= returned;
      known.item.delivery_date ??= deliveryDate(line); // a revoked line has none
      continue;
    }
    const { name, family } = line.article ?? {};
    bySku.set(line.sku, {
      open,
      returned,
      item: {
        id: line.sku,
        ...(typeof name === "string" && { name }),
        ...(typeof family === "string" && { family_id: truncateId(family) }),
        delivery_date: deliveryDate(line),
      },
    });
  }
  return [...bySku.values()].map(({ item, open, returned }) => {
    const isRevoked = returned === undefined;
    return {
      ...item,
      ...(!isRevoked && { returned }),
      ...(open <= 0 && (isRevoked || !invite_returned) && { reviewable: false }),
    };
  });
}
