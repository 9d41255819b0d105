import { createHash } from "node:crypto";
import { z } from "zod";
import type { ItemInput, OrderInput } from "@/lib/orders/schema";

// What another system said last of an order is not said again, item by item: what a person changed here since then stays.
// Above all the day of a delivery, which customers move by "not received yet": it is said when it is another than before.

/** Of a day that was told because a setting said so, and not because anything was known of the delivery. */
const ASSUMED = "assumed";

/** As hashes: the head of the order, and each item by its id, with the day that was told for its delivery. */
const Told = z.object({
  head: z.string(),
  items: z.record(z.string(), z.tuple([z.string(), z.string().nullable()]).rest(z.literal(ASSUMED))),
});
type Told = z.output<typeof Told>;

export type News = { order: OrderInput; fingerprint: string };

/** What is known of an order that was told before. */
export type Before = {
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
export type Unsure = {
  guessed?: ReadonlySet<string>;
  assumed?: ReadonlySet<string>;
  unknown?: ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();

/**
 * What of an order is new since it was told last (undefined: it never was), with the fingerprint to keep; null where nothing
 * is. That a day is told now which was assumed before is new also where it is the same day, and no item is said for it:
 * else the next guess, which moves with everything, would be taken for the first one.
 */
export function newsOf(
  order: OrderInput,
  known?: Before,
  { guessed = NONE, assumed = NONE, unknown = NONE }: Unsure = {},
): News | null {
  const before = readTold(known?.fingerprint ?? null);
  const items = order.items.map((item) => {
    const last = before?.items[item.id];
    if (unknown.has(item.id)) return last?.[2] === ASSUMED ? { ...item, delivery_date: null } : item;
    return guessed.has(item.id) && last?.[1] && last[2] !== ASSUMED ? { ...item, delivery_date: last[1] } : item;
  });
  const told = toldBy({ ...order, items }, assumed);
  for (const id of unknown) {
    const [now, last] = [told.items[id], before?.items[id]];
    if (now && last && last[2] !== ASSUMED) told.items[id] = [now[0], last[1]];
  }
  const fingerprint = JSON.stringify({ ...told, items: { ...before?.items, ...told.items } });
  if (!before) {
    const unmoved = items.map((item) => (isMoved(item, known, guessed) ? withoutDay(item) : item));
    return { order: { ...order, items: unmoved }, fingerprint };
  }
  const news = items.flatMap((item) => newIn(item, told.items[item.id], before.items[item.id]));
  const sure = items.some(({ id }) => before.items[id]?.[2] === ASSUMED && told.items[id]?.[2] !== ASSUMED);
  if (news.length === 0 && before.head === told.head && !sure) return null;
  return { order: { ...order, items: news }, fingerprint };
}

/** Whether a day of an item's stands here that may be its customer's: they only ever move it to a later one. */
function isMoved({ id, delivery_date }: ItemInput, known: Before | undefined, guessed: ReadonlySet<string>): boolean {
  const here = known?.days.get(id);
  return here !== undefined && (guessed.has(id) || (delivery_date ?? "") <= here);
}

function withoutDay({ delivery_date: _, ...rest }: ItemInput): ItemInput {
  return rest as ItemInput;
}

type ToldItem = Told["items"][string];

function newIn(item: ItemInput, now: ToldItem | undefined, before: ToldItem | undefined): ItemInput[] {
  if (!now || !before || now[1] !== before[1]) return [item];
  return now[0] === before[0] ? [] : [withoutDay(item)];
}

const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

const toldBy = ({ items, ...head }: OrderInput, assumed: ReadonlySet<string>): Told => ({
  head: digest(head),
  items: Object.fromEntries(
    items.map(({ delivery_date, ...rest }): [string, ToldItem] => {
      const [what, day] = [digest(rest), delivery_date ?? null];
      return [rest.id, assumed.has(rest.id) ? [what, day, ASSUMED] : [what, day]];
    }),
  ),
});

function readTold(text: string | null): Told | null {
  try {
    return Told.safeParse(JSON.parse(text ?? "null")).data ?? null;
  } catch {
    return null;
  }
}

/** Whether a fingerprint is one of an earlier version: all is said once more, but for days that are later here. */
export const isOutdated = (fingerprint: string | null): boolean =>
  fingerprint !== null && readTold(fingerprint) === null;
