import { createHash } from "node:crypto";
import { z } from "zod";
import type { ItemInput, OrderInput } from "@/lib/orders/schema";

// What another system said last of an order is not said again, item by item: what a person changed here since then stays.
// Above all the day of a delivery, which customers move by "not received yet": it is said when it is another than before.

/** Of a day that was told because a setting said so, and not because anything was known of the delivery. */
const ASSUMED = "assumed";

/** As hashes: the head of the order, and each item by its id, with the day that was told for its delivery. */
const OrderFingerprint = z.object({
  head: z.string(),
  items: z.record(z.string(), z.tuple([z.string(), z.string().nullable()]).rest(z.literal(ASSUMED))),
});
type OrderFingerprint = z.output<typeof OrderFingerprint>;

export type OrderChanges = { order: OrderInput; fingerprint: string };

/** What is known of an order that was told before. */
export type LastImport = {
  /** what it said last */
  fingerprint: string | null;
  /** where that is of an earlier version, by which nobody knows the days that were told: those that its items have here */
  days: ReadonlyMap<string, string>;
};

/**
 * Items whose day of delivery nobody told: `guessed`: by something that moves with everything, so the first one told stays;
 * `assumed`: by a setting alone. The first guess takes the place of what was assumed, since the setting is another now; where
 * a day was known once, a guess does not. `unknown`: it is known that there is a better day, and not which: one that was
 * told holds, one that was assumed does not.
 */
export type UncertainDates = {
  guessed?: ReadonlySet<string>;
  assumed?: ReadonlySet<string>;
  unknown?: ReadonlySet<string>;
};

const EMPTY: ReadonlySet<string> = new Set();

/**
 * What of an order is new since it was told last (undefined: it never was), with the fingerprint to keep; null where nothing
 * is. That a day is told now which was assumed before is new also where it is the same day, and no item is said for it:
 * else the next guess, which moves with everything, would be taken for the first one.
 */
export function findOrderChanges(
  order: OrderInput,
  known?: LastImport,
  { guessed = EMPTY, assumed = EMPTY, unknown = EMPTY }: UncertainDates = {},
): OrderChanges | null {
  const before = parseFingerprint(known?.fingerprint ?? null);
  const items = order.items.map((item) => {
    const last = before?.items[item.id];
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
  const changedItems = items.flatMap((item) => changedItem(item, current.items[item.id], before.items[item.id]));
  const isConfirmed = items.some(({ id }) => before.items[id]?.[2] === ASSUMED && current.items[id]?.[2] !== ASSUMED);
  if (changedItems.length === 0 && before.head === current.head && !isConfirmed) return null;
  return { order: { ...order, items: changedItems }, fingerprint };
}

/** Whether a day of an item's stands here that may be its customer's: they only ever move it to a later one. */
function wasMovedByCustomer(
  { id, delivery_date }: ItemInput,
  known: LastImport | undefined,
  guessed: ReadonlySet<string>,
): boolean {
  const here = known?.days.get(id);
  return here !== undefined && (guessed.has(id) || (delivery_date ?? "") <= here);
}

function withoutDeliveryDate({ delivery_date: _, ...rest }: ItemInput): ItemInput {
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

const fingerprintOf = ({ items, ...head }: OrderInput, assumed: ReadonlySet<string>): OrderFingerprint => ({
  head: digest(head),
  items: Object.fromEntries(
    items.map(({ delivery_date, ...rest }): [string, ItemFingerprint] => {
      const [what, day] = [digest(rest), delivery_date ?? null];
      return [rest.id, assumed.has(rest.id) ? [what, day, ASSUMED] : [what, day]];
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

/** Whether a fingerprint is one of an earlier version: all is said once more, but for days that are later here. */
export const isOldFormat = (fingerprint: string | null): boolean =>
  fingerprint !== null && parseFingerprint(fingerprint) === null;
