import { quotedText } from "@/lib/platform/storable-text";
import type { CommerceClient } from "./client";
import { ORDER_FIELDS } from "./read-order";
import { type Filter, readStoreTime, type Search } from "./search";
import { readMessage, StoreError } from "./store-error";

// The list of orders moves while it is read: whoever changes an order sends it to the end. So a pass does not count
// pages; each page begins at the time of the last order of the page before, up to the moment the pass began. Only within
// one second, and at shops that do not heed filters, pages are counted.

/** So much of an order's number is shown. */
const MAX_NUMBER_LENGTH = 60;

/** Where a pass stands; kept after every page, so that whoever goes on begins here. */
export type OrderPass = {
  /** `entity_id` for shops whose check of signatures fails on what dates are written with */
  key: "updated_at" | "entity_id";
  /** orders from here on: a time as the platform writes it, or a number; empty: from the first */
  from: string;
  /** orders up to here; empty: to the last */
  to: string;
  page: number;
  size: number;
  /** pages are counted, since the shop does not heed filters or sorting */
  counting: boolean;
  /** the first order of the page before: a shop that repeats its last page for ever is found by it */
  first?: number;
};

export const newPass = (from: string, to: string, size: number): OrderPass => ({
  key: "updated_at",
  from,
  to,
  page: 1,
  size,
  counting: false,
});

export type Row = Record<string, unknown> & { entity_id: number };

/**
 * A page: its orders, what the shop fails on, and where the next page is; null after the last. `unnamed` orders cannot be listed
 * and `unreadable` ones have no number: `places` says for people where each of them is.
 */
export type Page = {
  rows: Row[];
  broken: number[];
  unnamed: number;
  unreadable: number;
  places: string[];
  next: OrderPass | null;
};

type PageQuery = {
  store: CommerceClient;
  pass: OrderPass;
  /** filters that hold for all of it */
  groups: Filter[][];
  /** orders that the shop is known to fail on */
  without: number[];
};

/**
 * Reads one page. A page that is too large is asked for in smaller ones; one that the shop fails on is searched for the
 * order that it fails on, which is then left out. Throws {@link StoreError} for everything else.
 */
export async function readPage(query: PageQuery): Promise<Page> {
  const { store, pass } = query;
  try {
    return pageOf(await retryOnce(() => store.orders(searchOf(query))), pass);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const smaller = smallerSize(error, pass.size);
    if (smaller) {
      const page = Math.floor(((pass.page - 1) * pass.size) / smaller) + 1;
      return readPage({ ...query, pass: { ...pass, size: smaller, page } });
    }
    if (error.kind === "broken") return readWithoutBroken(query);
    if (pass.key === "updated_at" && (await failsOnDates(query, error)))
      return readPage({ ...query, pass: { ...pass, key: "entity_id", from: "", to: "", page: 1 } });
    throw error;
  }
}

/** What the shop fails on once may have been an accident. */
export async function retryOnce<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (
      error instanceof StoreError &&
      (error.kind === "broken" || error.kind === "missing" || isSignatureInvalid(error))
    )
      return ask();
    throw error;
  }
}

export const isSignatureInvalid = ({ details }: StoreError): boolean =>
  /signature is invalid/i.test(details.said ?? "");

function searchOf({ pass, groups, without }: Pick<PageQuery, "pass" | "groups" | "without">): Search {
  const { key, from, to, size, page } = pass;
  const own: Filter[][] = [];
  if (from) own.push([{ field: key, value: from, condition: "gteq" }]);
  if (to) own.push([{ field: key, value: to, condition: "lteq" }]);
  if (without.length > 0) own.push([{ field: "entity_id", value: without.join(","), condition: "nin" }]);
  const sort = key === "entity_id" ? [key] : [key, "entity_id"];
  return { groups: [...groups, ...own], sort, size, page, fields: ORDER_FIELDS };
}

/** The rows of a listing and how many there are of all pages. An error in an answer of 200 was found before. */
export function listOf(answer: unknown): { items: unknown[]; total: number | null } {
  const { items, total_count } = (answer ?? {}) as { items?: unknown; total_count?: unknown };
  const total = total_count === undefined || total_count === null ? Number.NaN : Number(total_count);
  if (Array.isArray(items)) return { items, total: Number.isFinite(total) ? total : null };
  if ((items === null || items === undefined) && total === 0) return { items: [], total };
  if (items === null) return { items: [], total: 0 };
  throw new StoreError(
    "missing",
    { reason: "not_an_order_list" },
    {
      said: readMessage(answer)?.text,
    },
  );
}

function pageOf(answer: unknown, pass: OrderPass): Page {
  const { items, total } = listOf(answer);
  const found = items.map(readRow);
  const rows = found.filter((row) => row !== null);
  const places = found.flatMap((row, at) => (row === null ? [nameOf(items[at]) ?? describePosition(found, at)] : []));
  const page = { rows, broken: [], unnamed: 0, unreadable: places.length, places };
  return { ...page, next: nextPass(pass, rows, items.length, total) };
}

function readRow(item: unknown): Row | null {
  const { entity_id: given, ...rest } = (item ?? {}) as Record<string, unknown>;
  const entity_id = Number(given);
  return Number.isSafeInteger(entity_id) && entity_id > 0 ? { ...rest, entity_id } : null;
}

/** What a shop's people know an order by. */
function nameOf(row: unknown): string | null {
  const { increment_id, entity_id } = (row ?? {}) as Record<string, unknown>;
  const name = typeof increment_id === "string" || typeof increment_id === "number" ? increment_id : entity_id;
  return typeof name === "string" || typeof name === "number" ? quotedText(String(name), MAX_NUMBER_LENGTH) : null;
}

/** Where an order without a number is: behind and before which others. */
function describePosition(rows: (Row | null)[], at: number): string {
  const before = nameOf(rows.slice(0, at).findLast((row) => row !== null));
  const after = nameOf(rows.slice(at + 1).find((row) => row !== null));
  if (before && after) return `one between ${before} and ${after}`;
  return before ? `one after ${before}` : after ? `one before ${after}` : "one whose neighbors cannot be listed either";
}

function nextPass(pass: OrderPass, rows: Row[], length: number, total: number | null): OrderPass | null {
  const { page, size } = pass;
  const isLast = total === null ? length < size : page * size >= total;
  const first = rows[0]?.entity_id;
  const counting = pass.counting || !respectsFilters(pass, rows);
  const repeats = counting && page > 1 && first === pass.first;
  if (isLast || length === 0 || repeats) return null;
  const last = positionOf(rows.at(-1), pass);
  if (!counting && last !== null && isLater(last, pass.from, pass.key)) return { ...pass, from: last, page: 1, first };
  return { ...pass, counting, page: page + 1, first };
}

/** Whether the rows are those that were asked for, in the order asked for. */
function respectsFilters(pass: OrderPass, rows: Row[]): boolean {
  let before = pass.from;
  return rows.every((row) => {
    const place = positionOf(row, pass);
    if (place === null || isLater(before, place, pass.key) || (pass.to !== "" && isLater(place, pass.to, pass.key)))
      return false;
    before = place;
    return true;
  });
}

function positionOf(row: Row | undefined, { key }: OrderPass): string | null {
  if (row === undefined) return null;
  if (key === "entity_id") return String(row.entity_id);
  return readStoreTime(row.updated_at) === null ? null : String(row.updated_at).slice(0, 19).replace("T", " ");
}

const isLater = (one: string, other: string, key: OrderPass["key"]): boolean =>
  key === "entity_id" ? Number(one) > Number(other) : one > other;

/** The size that the shop allows, where it says that ours is too large. */
function smallerSize(fault: StoreError, size: number): number | null {
  if (fault.kind !== "rejected" || !/page_?size/i.test(fault.details.said ?? "")) return null;
  const most = Number(fault.details.parameters?.max ?? /\d+/.exec(fault.details.said ?? "")?.[0]);
  return Number.isSafeInteger(most) && most >= 1 && most < size ? most : null;
}

/** Some versions check a signature wrongly over blanks and colons, which dates need. */
async function failsOnDates({ store }: PageQuery, fault: StoreError): Promise<boolean> {
  if (fault.kind !== "unauthorized" || !isSignatureInvalid(fault)) return false;
  try {
    await store.orders({ groups: [], size: 1, fields: "items[entity_id],total_count" });
    return true;
  } catch (error) {
    if (error instanceof StoreError && isSignatureInvalid(error)) return false;
    throw error; // says more than the first one
  }
}

async function readWithoutBroken(query: PageQuery): Promise<Page> {
  const found = await findBroken(query);
  if (found === null) return readOneByOne(query);
  const page = await readPage({ ...query, without: [...query.without, found] });
  return { ...page, broken: [found, ...page.broken] };
}

/** Larger than every number the platform gives. */
const ABOVE_ALL_IDS = 4_294_967_295;

/**
 * The lowest number of an order on this page that the shop fails on, by halves: about thirty questions. Null where the
 * shop does not heed what is asked, so that halving tells nothing.
 */
async function findBroken({ store, pass, groups, without }: PageQuery): Promise<number | null> {
  const isBroken = async (from: number, to: number): Promise<boolean> => {
    const range: Filter[][] = [
      [{ field: "entity_id", value: from, condition: "gteq" }],
      [{ field: "entity_id", value: to, condition: "lteq" }],
    ];
    const size = Math.min(pass.size * pass.page, 300);
    const search = searchOf({ pass: { ...pass, page: 1, size }, groups: [...groups, ...range], without });
    try {
      await retryOnce(() => store.orders(search));
      return false;
    } catch (error) {
      if (error instanceof StoreError && error.kind === "broken") return true;
      throw error;
    }
  };
  if (await isBroken(ABOVE_ALL_IDS, ABOVE_ALL_IDS)) return null;
  let [low, high] = [1, ABOVE_ALL_IDS - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isBroken(low, middle)) high = middle;
    else low = middle + 1;
  }
  return (await isBroken(low, low)) ? low : null;
}

/** The page's orders one by one, without those that fail. A shop that answers none of it fails altogether, which is thrown. */
async function readOneByOne(query: PageQuery): Promise<Page> {
  const { pass } = query;
  const firstPage = (pass.page - 1) * pass.size + 1;
  const found: (Row | null)[] = [];
  const unreadable: string[] = [];
  let total: number | null = null;
  let answers = 0;
  for (let page = firstPage; page < firstPage + pass.size && page <= (total ?? Number.POSITIVE_INFINITY); page++) {
    try {
      const answer = await retryOnce(() =>
        query.store.orders(searchOf({ ...query, pass: { ...pass, page, size: 1 } })),
      );
      const { items, total: told } = listOf(answer);
      answers += 1;
      total = told ?? total;
      if (items.length === 0) break;
      const { rows, places } = pageOf(answer, pass);
      found.push(...rows);
      unreadable.push(...places);
    } catch (error) {
      if (!(error instanceof StoreError && error.kind === "broken")) throw error;
      found.push(null);
      if (found.length === pass.size && answers === 0) throw error;
    }
  }
  const rows = found.filter((row) => row !== null);
  const places = found.flatMap((row, at) => (row === null ? [describePosition(found, at)] : []));
  const isLast = total !== null && pass.page * pass.size >= total;
  return {
    rows,
    broken: [],
    unnamed: places.length,
    unreadable: unreadable.length,
    places: [...places, ...unreadable],
    next: isLast || rows.length === 0 ? null : { ...pass, counting: true, page: pass.page + 1 },
  };
}
