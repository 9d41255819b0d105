import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import { hidesStars } from "@/lib/accounts/hides-stars";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import {
  isDay,
  type LibraryFilter,
  mayFilterByStars,
  PAGE_SIZE,
  withoutOthers,
  withoutStars,
} from "@/lib/moderation/library/values";
import { loadItems } from "@/lib/moderation/queue/load-items";
import { readerOf } from "@/lib/moderation/queue/reader-of";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { cutPage, decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { MIN_SEARCH_LENGTH } from "@/lib/platform/http/values";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import {
  countLibrary,
  type LibraryKey,
  type LibraryPosition,
  type LibraryScope,
  MAX_FOUND,
  selectExact,
  selectLibraryKeys,
  selectProducts,
} from "./sql";

type Reader = Pick<Actor, "id" | "role">;
type Shop = Pick<ClientRow, "id">;

/**
 * What a filter reads. A search that is the id of a review, order or customer, or an email address, finds its rows; any
 * other finds rows with its words, or words that begin with them, about a minute after they were written, and at most
 * `MAX_FOUND` of them. Customers and addresses are found only for people who may see personal data. `selected`: these
 * rows, whatever the filter.
 */
export async function scopeOf(
  actor: Reader,
  client: Shop,
  given: LibraryFilter,
  selected?: string[],
): Promise<LibraryScope> {
  const filter = await readableFilter(actor, client, given);
  if (selected) return { filter: { kind: filter.kind, sort: filter.sort }, ids: selected };
  const products = await selectProducts(pool(), client.id, filter);
  const q = filter.q?.trim();
  if (!q) return { filter, products };
  const person = maySeePeople(actor) ? { id: q, email: emailKey(q) } : null;
  const ids = await selectExact(pool(), client.id, filter.kind, q, person);
  return ids.length > 0 || q.length < MIN_SEARCH_LENGTH ? { filter, products, ids } : { filter, products, words: q };
}

/** A filter without what doesn't apply to it, and without stars if they would tell those that the reader isn't to see. */
export async function readableFilter(actor: Reader, client: Shop, given: LibraryFilter): Promise<LibraryFilter> {
  const filter = withoutOthers(given);
  return mayFilterByStars(filter) || !(await hidesStars(actor, client.id)) ? filter : withoutStars(filter);
}

/**
 * A page of all reviews, seller reviews or questions, whatever was decided. `next` is the cursor of the next page. Throws
 * `invalid_cursor`.
 */
export async function listLibrary(
  actor: Reader,
  client: Shop,
  scope: LibraryScope,
  after: string | undefined,
): Promise<{ items: QueueItem[]; next: string | null }> {
  const { kind, sort } = scope.filter;
  const order = `library.${kind}.${sort}`;
  const from = after === undefined ? null : positionOf(after, order);
  const keys = await selectLibraryKeys(pool(), client.id, scope, from, PAGE_SIZE + 1);
  const { shown, last } = cutPage(keys, PAGE_SIZE);
  const items = await loadItems(
    client.id,
    shown.map(({ id }) => ({ kind, id })),
    await readerOf(actor, client.id),
  );
  return {
    items,
    next: last ? encodeCursor({ order, key: keyOf(last), startedAt: null }) : null,
  };
}

/** Rows that are read together: few enough that their texts fit in memory, whatever they contain. */
const IDS_PER_PAGE = 50;

/** The ids of all rows that a filter matches, in the order of the list, page by page. */
export async function* listLibraryIds(client: Shop, scope: LibraryScope): AsyncGenerator<string[]> {
  // What a search found is sorted once, not again for each page.
  const keysPerRead = scope.words === undefined ? IDS_PER_PAGE : MAX_FOUND;
  for (let from: LibraryPosition | null = null; ; ) {
    const keys: LibraryKey[] = await selectLibraryKeys(pool(), client.id, scope, from, keysPerRead);
    for (let at = 0; at < keys.length; at += IDS_PER_PAGE) yield keys.slice(at, at + IDS_PER_PAGE).map(({ id }) => id);
    if (keys.length < keysPerRead) return;
    from = keys.at(-1) ?? null;
  }
}

/**
 * How many rows the filter matches. `capped`: a search matches more than the 50,000 rows that it lists.
 */
export const countLibraryRows = (client: Shop, scope: LibraryScope): Promise<{ count: number; capped: boolean }> =>
  countLibrary(pool(), client.id, scope);

const keyOf = ({ date, created_at, id, score }: LibraryKey): string[] => [date, created_at, id, String(score)];

function positionOf(after: string, order: string): LibraryPosition {
  const { key } = decodeCursor(after, order, ["text", "text", "text", "text"]);
  const [date = "", created_at = "", id = "", score = ""] = key;
  const isPosition = isDay(date) && isTime(created_at) && /^[0-5]$/.test(score);
  if (!isPosition) throw new AppError("invalid_cursor", { reason: "invalid_cursor", field: "after" });
  return { date, created_at, id, score: Number(score) };
}

/** Whether PostgreSQL wrote this time: not all that JavaScript reads as one. */
export const isTime = (value: string): boolean =>
  isDay(value.slice(0, 10)) &&
  /^.{10}T\d\d:\d\d:\d\d(?:\.\d{1,6})?[+-](?:0\d|1[0-4]):[0-5]\d$/.test(value) &&
  !Number.isNaN(Date.parse(value));
