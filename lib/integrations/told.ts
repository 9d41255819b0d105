import { createHash } from "node:crypto";
import { z } from "zod";
import type { ItemInput, OrderInput } from "@/lib/orders/schema";

// What another system said last of an order is not said again, item by item: what a person changed here since then stays.
// Above all the day of a delivery, which customers move by "not received yet": it is said when it is another than before.

/** As hashes: the head of the order, and each item by its id, with the day that was told for its delivery. */
const Told = z.object({
  head: z.string(),
  items: z.record(z.string(), z.tuple([z.string(), z.string().nullable()])),
});
type Told = z.output<typeof Told>;

export type News = { order: OrderInput; fingerprint: string };

/**
 * What of an order is new since what `fingerprint` says (null: nothing is known of it), with the fingerprint to keep; null
 * where nothing is.
 */
export function newsOf(order: OrderInput, fingerprint: string | null): News | null {
  const before = readTold(fingerprint);
  const told = toldBy(order);
  const fingerprintNow = JSON.stringify({
    ...told,
    items: { ...before?.items, ...told.items },
  });
  if (!before) return { order, fingerprint: fingerprintNow };
  const items = order.items.flatMap((item) => newIn(item, told.items[item.id], before.items[item.id]));
  if (items.length === 0 && before.head === told.head) return null;
  return { order: { ...order, items }, fingerprint: fingerprintNow };
}

type ToldItem = Told["items"][string] | undefined;

function newIn(item: ItemInput, now: ToldItem, before: ToldItem): ItemInput[] {
  if (!now || !before || now[1] !== before[1]) return [item];
  if (now[0] === before[0]) return [];
  const { delivery_date: _, ...rest } = item;
  return [rest as ItemInput];
}

const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

const toldBy = ({ items, ...head }: OrderInput): Told => ({
  head: digest(head),
  items: Object.fromEntries(
    items.map(({ delivery_date, ...rest }) => [rest.id, [digest(rest), delivery_date ?? null]]),
  ),
});

function readTold(text: string | null): Told | null {
  try {
    return Told.safeParse(JSON.parse(text ?? "null")).data ?? null;
  } catch {
    return null; // kept by an earlier version: all is said once more
  }
}
