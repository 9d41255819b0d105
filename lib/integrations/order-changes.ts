import { createHash } from "node:crypto";
import { z } from "zod";
import type { ItemInput, OrderInput } from "@/lib/orders/schema";

// Only what changed since the last import is imported again, item by item, so that later changes by people stay. Above
// all delivery dates, which customers move with "not received yet": a date is only imported if it changed.

/** Marks a date that comes only from a setting. */
const ASSUMED = "assumed";

/** Hashes of the order's head and of each item by id, with the item's delivery date. */
const OrderFingerprint = z.object({
  head: z.string(),
  items: z.record(z.string(), z.tuple([z.string(), z.string().nullable()]).rest(z.literal(ASSUMED))),
});
type OrderFingerprint = z.output<typeof OrderFingerprint>;

export type OrderChanges = { order: OrderInput; fingerprint: string };

/** The last import of an order. */
export type LastImport = {
  /** fingerprint of the last import */
  fingerprint: string | null;
  /** current delivery dates by item, if the fingerprint is of an earlier version, which doesn't contain dates */
  days: ReadonlyMap<string, string>;
};

/**
 * Items with uncertain delivery dates. `guessed`: estimates that move with every change, so the first one stays. It
 * replaces an assumed date, since the setting changed, but never a known one. `assumed`: from a setting only.
 * `unknown`: a better date may exist but couldn't be read; an imported date stays, an assumed one is cleared.
 */
export type UncertainDates = {
  guessed?: ReadonlySet<string>;
  assumed?: ReadonlySet<string>;
  unknown?: ReadonlySet<string>;
};

const EMPTY: ReadonlySet<string> = new Set();

/**
 * Changes of an order since its last import (undefined: never imported), with the new fingerprint; null if there are
 * none. A date that was assumed and is now known counts as a change even if it's equal, without changing the item:
 * otherwise the next estimate would count as the first.
 */
export function findOrderChanges(
  order: OrderInput,
  known?: LastImport,
  { guessed = EMPTY, assumed = EMPTY, unknown = EMPTY }: UncertainDates = {},
): OrderChanges | null {
  const before = parseFingerprint(known?.fingerprint ?? null);
  const items = order.items.map((mapped) => {
    const last = before?.items[mapped.id];
    const item = wasKnownReturn(mapped, last) ? { ...mapped, returned: true } : mapped;
    if (unknown.has(item.id)) return last?.[2] === ASSUMED ? { ...item, delivery_date: null } : item;
    return guessed.has(item.id) && last?.[1] && last[2] !== ASSUMED ? { ...item, delivery_date: last[1] } : item;
  });
  const current = fingerprintOf({ ...order, items }, assumed);
  for (const id of unknown) {
    const [now, last] = [current.items[id], before?.items[id]];
    if (now && last && last[2] !== ASSUMED) current.items[id] = [now[0], last[1]];
  }
  const fingerprint = JSON.stringify({ ...current, items: { ...before?.items, ...current.items } });
  if (!before) {
    const withoutMovedDates = items.map((item) =>
      wasMovedByCustomer(item, known, guessed) ? withoutDeliveryDate(item) : item,
    );
    return { order: { ...order, items: withoutMovedDates }, fingerprint };
  }
  // Another system may know of a return.
  const later = items.map((item) => (item.returned === false && before.items[item.id] ? withoutReturned(item) : item));
  const changedItems = later.flatMap((item) => changedItem(item, current.items[item.id], before.items[item.id]));
  const isConfirmed = items.some(({ id }) => before.items[id]?.[2] === ASSUMED && current.items[id]?.[2] !== ASSUMED);
  if (changedItems.length === 0 && before.head === current.head && !isConfirmed) return null;
  return { order: { ...order, items: changedItems }, fingerprint };
}

/** Whether an item was imported as returned, and has only changed in that this can't be read any more. */
const wasKnownReturn = (item: ItemInput, last: ItemFingerprint | undefined): boolean =>
  item.returned === null && last?.[0] === itemDigest({ ...item, returned: true });

/** Whether a stored date may have been moved by the customer, which is only possible to a later one. */
function wasMovedByCustomer(
  { id, delivery_date }: ItemInput,
  known: LastImport | undefined,
  guessed: ReadonlySet<string>,
): boolean {
  const storedDate = known?.days.get(id);
  return storedDate !== undefined && (guessed.has(id) || (delivery_date ?? "") <= storedDate);
}

function withoutDeliveryDate({ delivery_date: _, ...rest }: ItemInput): ItemInput {
  return rest as ItemInput;
}

function withoutReturned({ returned: _, ...rest }: ItemInput): ItemInput {
  return rest as ItemInput;
}

type ItemFingerprint = OrderFingerprint["items"][string];

function changedItem(
  item: ItemInput,
  now: ItemFingerprint | undefined,
  before: ItemFingerprint | undefined,
): ItemInput[] {
  if (!now || !before || now[1] !== before[1]) return [item];
  return now[0] === before[0] ? [] : [withoutDeliveryDate(item)];
}

const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

// `returned: false` is no change: items of earlier imports don't have it.
const itemDigest = ({ delivery_date: _, returned, ...rest }: ItemInput): string =>
  digest(returned === false ? rest : { ...rest, returned });

// The value of an order doesn't change: orders of earlier imports don't have it.
const fingerprintOf = ({ items, value: _, ...head }: OrderInput, assumed: ReadonlySet<string>): OrderFingerprint => ({
  head: digest(head),
  items: Object.fromEntries(
    items.map((item): [string, ItemFingerprint] => {
      const [what, day] = [itemDigest(item), item.delivery_date ?? null];
      return [item.id, assumed.has(item.id) ? [what, day, ASSUMED] : [what, day]];
    }),
  ),
});

function parseFingerprint(text: string | null): OrderFingerprint | null {
  try {
    return OrderFingerprint.safeParse(JSON.parse(text ?? "null")).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether a fingerprint is of an earlier version. Then everything is imported again, except dates that are later here.
 */
export const isOldFormat = (fingerprint: string | null): boolean =>
  fingerprint !== null && parseFingerprint(fingerprint) === null;
