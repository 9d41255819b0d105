import { quotedText } from "@/lib/platform/storable-text";
import type { CommerceClient } from "./client";
import { ORDER_FIELDS } from "./read-order";
import { type Filter, readStoreTime, type Search } from "./search";
import { readMessage, StoreError } from "./store-error";

// The list changes while it is read: an order that changes moves to its end. So each page starts at the time of the
// previous page's last order, until the time at which the pass began. Page numbers are used only within one second, and
// for stores that ignore filters.

/** Maximum length of an order number in notices. */
const MAX_NUMBER_LENGTH = 60;

/** Position of a pass. Saved after every page, so that another process can resume it. */
export type OrderScan = {
  /** `entity_id` for stores whose signature check fails on the characters in dates */
  key: "updated_at" | "entity_id";
  /** lower bound: a time in the platform's format, or an id; empty for none */
  from: string;
  /** upper bound; empty for none */
  to: string;
  page: number;
  size: number;
  /** whether pages are read by number, since the store ignores filters or sorting */
  counting: boolean;
  /** first order of the previous page, to detect a store that repeats its last page */
  first?: number;
};

export const newScan = (from: string, to: string, size: number): OrderScan => ({
  key: "updated_at",
  from,
  to,
  page: 1,
  size,
  counting: false,
});

export type Row = Record<string, unknown> & { entity_id: number };

/**
 * A page: its orders, those that the store fails on, and the next position, null after the last. `unnamed` orders can't
 * be listed and `unreadable` ones have no id: `places` describes where each of them is.
 */
export type OrderListPage = {
  rows: Row[];
  broken: number[];
  unnamed: number;
  unreadable: number;
  places: string[];
  next: OrderScan | null;
};

type PageQuery = {
  store: CommerceClient;
  pass: OrderScan;
  /** filters of the whole pass */
  groups: Filter[][];
  /** orders known to fail */
  without: number[];
};

/**
 * Reads one page. If the page is too large for the store, it's split; if the store fails on it, the failing order is
 * located and skipped. Throws {@link StoreError} for other errors.
 */
export async function readPage(query: PageQuery): Promise<OrderListPage> {
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

/** Retries once: a single failure may be accidental. */
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
  /signature is invalid/i.test(details.storeMessage ?? "");

function searchOf({ pass, groups, without }: Pick<PageQuery, "pass" | "groups" | "without">): Search {
  const { key, from, to, size, page } = pass;
  const own: Filter[][] = [];
  if (from) own.push([{ field: key, value: from, condition: "gteq" }]);
  if (to) own.push([{ field: key, value: to, condition: "lteq" }]);
  if (without.length > 0) own.push([{ field: "entity_id", value: without.join(","), condition: "nin" }]);
  const sort = key === "entity_id" ? [key] : [key, "entity_id"];
  return { groups: [...groups, ...own], sort, size, page, fields: ORDER_FIELDS };
}

/** Rows and total count of a listing. Errors in 200 responses have been detected before. */
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
      storeMessage: readMessage(answer)?.text,
    },
  );
}

function pageOf(answer: unknown, pass: OrderScan): OrderListPage {
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

/** An order's number as the merchant knows it. */
function nameOf(row: unknown): string | null {
  const { increment_id, entity_id } = (row ?? {}) as Record<string, unknown>;
  const name = typeof increment_id === "string" || typeof increment_id === "number" ? increment_id : entity_id;
  return typeof name === "string" || typeof name === "number" ? quotedText(String(name), MAX_NUMBER_LENGTH) : null;
}

/** Position of an order without a number, relative to its neighbors. */
function describePosition(rows: (Row | null)[], at: number): string {
  const before = nameOf(rows.slice(0, at).findLast((row) => row !== null));
  const after = nameOf(rows.slice(at + 1).find((row) => row !== null));
  if (before && after) return `one between ${before} and ${after}`;
  return before ? `one after ${before}` : after ? `one before ${after}` : "one whose neighbors cannot be listed either";
}

function nextPass(pass: OrderScan, rows: Row[], length: number, total: number | null): OrderScan | null {
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

/** Whether the rows match the requested filters and order. */
function respectsFilters(pass: OrderScan, rows: Row[]): boolean {
  let before = pass.from;
  return rows.every((row) => {
    const place = positionOf(row, pass);
    if (place === null || isLater(before, place, pass.key) || (pass.to !== "" && isLater(place, pass.to, pass.key)))
      return false;
    before = place;
    return true;
  });
}

function positionOf(row: Row | undefined, { key }: OrderScan): string | null {
  if (row === undefined) return null;
  if (key === "entity_id") return String(row.entity_id);
  return readStoreTime(row.updated_at) === null ? null : String(row.updated_at).slice(0, 19).replace("T", " ");
}

const isLater = (one: string, other: string, key: OrderScan["key"]): boolean =>
  key === "entity_id" ? Number(one) > Number(other) : one > other;

/** The maximum page size, if the store reports that ours is too large. */
function smallerSize(storeError: StoreError, size: number): number | null {
  if (storeError.kind !== "rejected" || !/page_?size/i.test(storeError.details.storeMessage ?? "")) return null;
  const maxSize = Number(storeError.details.parameters?.max ?? /\d+/.exec(storeError.details.storeMessage ?? "")?.[0]);
  return Number.isSafeInteger(maxSize) && maxSize >= 1 && maxSize < size ? maxSize : null;
}

/** Some versions compute signatures wrongly for spaces and colons, which dates contain. */
async function failsOnDates({ store }: PageQuery, storeError: StoreError): Promise<boolean> {
  if (storeError.kind !== "unauthorized" || !isSignatureInvalid(storeError)) return false;
  try {
    await store.orders({ groups: [], size: 1, fields: "items[entity_id],total_count" });
    return true;
  } catch (error) {
    if (error instanceof StoreError && isSignatureInvalid(error)) return false;
    throw error; // more specific than the first error
  }
}

async function readWithoutBroken(query: PageQuery): Promise<OrderListPage> {
  const found = await findBroken(query);
  if (found === null) return readOneByOne(query);
  const page = await readPage({ ...query, without: [...query.without, found] });
  return { ...page, broken: [found, ...page.broken] };
}

/** Larger than any id of the platform. */
const MAX_ID = 4_294_967_295;

/**
 * Lowest id on this page that the store fails on, by bisection with about thirty requests. Null if the store ignores
 * filters, which makes bisection impossible.
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
  if (await isBroken(MAX_ID, MAX_ID)) return null;
  let [low, high] = [1, MAX_ID - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isBroken(low, middle)) high = middle;
    else low = middle + 1;
  }
  return (await isBroken(low, low)) ? low : null;
}

/** Reads the page's orders one by one, without those that fail. Throws if all of them fail. */
async function readOneByOne(query: PageQuery): Promise<OrderListPage> {
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
      const { items, total: reportedTotal } = listOf(answer);
      answers += 1;
      total = reportedTotal ?? total;
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
