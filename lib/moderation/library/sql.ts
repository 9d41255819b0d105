import type { LibraryFilter, PhotoState } from "@/lib/moderation/library/values";
import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { wordsTables } from "@/lib/reviews/words/words-tables";

/** A row's key in the list. `score` is 0 for questions. */
export type LibraryKey = { id: string; date: string; created_at: string; score: number };
export type LibraryPosition = LibraryKey;

/** Rows with an id, order, customer or address, or with rare words. */
const MAX_EXACT = 500;

const statusCondition = { pending: "accepted is null", accepted: "accepted", rejected: "not accepted" } as const;

/** Columns of ids that a search matches exactly, each with an index. */
const searchColumns: Record<ModeratedKind, string[]> = {
  review: ["id", "order_id"],
  seller_review: ["id", "order_id"],
  question: ["id"],
};

/** The ids of rows with this id, order id, customer id or address; `person` for people who may see personal data. */
export async function selectExact(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  q: string,
  person: { id: string; email: string } | null,
): Promise<string[]> {
  const values = [clientId, q, ...(person ? [person.id, person.email] : [])];
  const ways = [...searchColumns[kind].map((column) => `${column} = $2`)];
  if (person) ways.push("customer_id = $3", "email_key = $4");
  const { rows } = await db.query<{ id: string }>(
    `select id from ${tables[kind]} where client_id = $1 and (${ways.join(" or ")}) limit ${MAX_EXACT}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/**
 * A filter as it is read: only rows with these `ids`, or with words of the text that begin with `words`. `products`: those
 * of the filter's brand and category, if they are few.
 */
export type LibraryScope = {
  filter: LibraryFilter;
  ids?: string[] | undefined;
  words?: string | undefined;
  products?: string[] | undefined;
};

/** Products of a brand or category whose reviews are found by an index. */
const MAX_PRODUCTS = 1_000;

/** The products of a filter's brand and category; none if it has neither, or they are more than an index finds well. */
export async function selectProducts(
  db: Db,
  clientId: string,
  { brand, category }: Pick<LibraryFilter, "brand" | "category">,
): Promise<string[] | undefined> {
  const values: unknown[] = [clientId];
  const where = Object.entries({ brand, category }).flatMap(([column, name]) =>
    name === undefined ? [] : [`lower(${column}) = lower($${values.push(name.trim())})`],
  );
  if (where.length === 0) return undefined;
  const { rows } = await db.query<{ id: string }>(
    `select id from products where client_id = $1 and ${where.join(" and ")} limit ${MAX_PRODUCTS + 1}`,
    values,
  );
  return rows.length > MAX_PRODUCTS ? undefined : rows.map(({ id }) => id);
}

/** Conditions of a filter on rows `r`, of columns that the index of the list contains. */
function conditions({ filter, ids, products }: LibraryScope, value: (given: unknown) => string): string[] {
  const { kind } = filter;
  const where = ["r.client_id = $1"];
  const flag = (column: string, wanted: "1" | "0" | undefined) => {
    if (wanted) where.push(wanted === "1" ? column : `not ${column}`);
  };
  if (filter.status) where.push(statusCondition[filter.status]);
  if (filter.stars) where.push(`score = any(${value([...filter.stars].map(Number))}::smallint[])`);
  if (filter.lang) where.push(`lang = ${value(filter.lang)}`);
  if (filter.source) where.push(`source = ${value(filter.source)}`);
  if (filter.reason) where.push(`reject_reason = ${value(filter.reason)}`);
  if (filter.from) where.push(`date >= ${value(filter.from)}::date`);
  if (filter.to) where.push(`date <= ${value(filter.to)}::date`);
  flag("verified_buyer", filter.verified);
  flag("has_photos", filter.photos);
  flag(kind === "question" ? "(answer_count > 0)" : "has_reply", filter.reply);
  if (filter.product) {
    const product = value(filter.product.trim());
    where.push(`(product_id = ${product} or family_id = ${product})`);
  }
  if (products) where.push(`product_id = any(${value(products)}::text[])`);
  else
    for (const column of ["brand", "category"] as const) {
      const name = filter[column]?.trim();
      // Not `exists` or `in`, for which PostgreSQL may read the whole catalog once.
      if (name)
        where.push(`(select lower(p.${column}) from products p where p.client_id = r.client_id and p.id = r.product_id)
          = lower(${value(name)})`);
    }
  if (filter.score_change) where.push("r.id = any(array(select id from changed))");
  if (ids) where.push(`r.id = any(${value(ids)})`);
  return where;
}

/** Rows that a search by words lists: more take seconds to sort. */
export const MAX_FOUND = 50_000;

/** Rows of the list in which words are looked for first: among them, a frequent word fills a page. */
const MAX_LOOKED_THROUGH = 1_000;

/**
 * The first `limit` of the next rows of the list that have the words; null if they may not be all of the page. Without
 * it, a word that most texts have would be read with all of its rows.
 */
async function selectNextWithWords(
  db: Db,
  clientId: string,
  { words, ...scope }: LibraryScope,
  after: LibraryPosition | null,
  limit: number,
): Promise<LibraryKey[] | null> {
  const keys = await selectLibraryKeys(db, clientId, scope, after, MAX_LOOKED_THROUGH);
  const { rows } = await db.query<{ id: string }>(
    // Apart, so that PostgreSQL doesn't read the index of words, too, with all rows of a frequent one.
    `with texts as materialized (select id, words from ${wordsTables[scope.filter.kind]} where client_id = $1 and id = any($2))
     select id from texts where words @@ search_query($1, $3)`,
    [clientId, keys.map(({ id }) => id), words],
  );
  const found = new Set(rows.map(({ id }) => id));
  const isWhole = keys.length < MAX_LOOKED_THROUGH || found.size >= limit;
  return isWhole ? keys.filter(({ id }) => found.has(id)).slice(0, limit) : null;
}

/**
 * The ids of the rows that have the words; null if they are more than an index finds well. PostgreSQL expects two of a
 * hundred rows to have a word that it doesn't know, and would prepare to read a large part of the list.
 */
async function selectIdsWithWords(
  db: Db,
  clientId: string,
  { words, filter }: Pick<LibraryScope, "words" | "filter">,
): Promise<string[] | null> {
  const { rows } = await db.query<{ id: string }>(
    // The limit is outside: with one, PostgreSQL may read the table until it has that many, which is all of it.
    `with w as materialized (select id from ${wordsTables[filter.kind]} where client_id = $1 and words @@ search_query($1, $2))
     select id from w limit ${MAX_EXACT + 1}`,
    [clientId, words],
  );
  return rows.length > MAX_EXACT ? null : rows.map(({ id }) => id);
}

/** Whether the list may be read as a whole for a page of it: by filters that no index serves and few rows may match. */
const mayReadWholeList = ({ kind, brand, category, reply, photos, verified }: LibraryScope["filter"]) =>
  brand !== undefined ||
  category !== undefined ||
  photos === "0" ||
  (reply === "0" && kind !== "question") ||
  (verified !== undefined && kind === "seller_review");

type Source = { start: string; rows: string; where: string[] };

/**
 * What a scope reads, as rows `r`. Rows with words are a set of their own, with all conditions, read first: the database
 * can't estimate their number, and would read the whole list instead. So are those whose author changed the score.
 */
function sourceOf({ filter, ...scope }: LibraryScope, value: (given: unknown) => string): Source {
  const table = tables[filter.kind];
  const where = conditions({ filter, ...scope }, value);
  const sets: string[] = [];
  if (filter.score_change)
    sets.push(`changed as materialized (
      select distinct e.subject_id as id from moderation_events e
        join ${table} r on r.client_id = $1 and r.id = e.subject_id
       where e.client_id = $1 and e.kind = '${filter.kind}' and e.action = 'edited' and e.actor_kind = 'author'
         and (e.texts ->> 'score')::int ${filter.score_change === "up" ? "<" : ">"} r.score)`);
  if (scope.words !== undefined) {
    const score = filter.kind === "question" ? "" : ", r.score";
    sets.push(`found as materialized (
      select r.id, r.date, r.created_at${score} from ${wordsTables[filter.kind]} w
        join ${table} r on r.client_id = $1 and r.id = w.id
       where w.client_id = $1 and w.words @@ search_query($1, ${value(scope.words)}) and ${where.join(" and ")}
       limit ${MAX_FOUND + 1})`);
  }
  const start = sets.length > 0 ? `with ${sets.join(", ")} ` : "";
  return scope.words === undefined ? { start, rows: `${table} r`, where } : { start, rows: "found r", where: ["true"] };
}

/**
 * The keys of a page, after a position. The index has the rows of each score by date. By score, the page is filled from
 * one after the other; by date, from all of them together. A set is sorted. Not a prepared statement: how to
 * read depends on how many rows a filter matches.
 */
export async function selectLibraryKeys(
  db: Db,
  clientId: string,
  scope: LibraryScope,
  after: LibraryPosition | null,
  limit: number,
): Promise<LibraryKey[]> {
  const { kind, sort, stars } = scope.filter;
  if (scope.words !== undefined && limit < MAX_LOOKED_THROUGH && !mayReadWholeList(scope.filter)) {
    const keys = await selectNextWithWords(db, clientId, scope, after, limit);
    if (keys) return keys;
    const ids = await selectIdsWithWords(db, clientId, scope);
    if (ids) return selectLibraryKeys(db, clientId, { ...scope, words: undefined, ids }, after, limit);
  }
  if (kind === "question") return selectKeys(db, clientId, scope, { after, limit });
  const scores = sort === "highest" ? [5, 4, 3, 2, 1] : [1, 2, 3, 4, 5];
  const wanted = stars ? scores.filter((score) => stars.includes(String(score))) : scores;
  const byDate = sort === "newest" || sort === "oldest";
  if (byDate || isSet(scope)) return selectKeys(db, clientId, scope, { after, limit, scores: wanted });
  const keys: LibraryKey[] = [];
  const passed = after ? scores.indexOf(after.score) : 0;
  for (const score of wanted.filter((one) => scores.indexOf(one) >= passed)) {
    const from = score === after?.score ? after : null;
    const options = { after: from, limit: limit - keys.length, scores: [score] };
    keys.push(...(await selectKeys(db, clientId, scope, options)));
    if (keys.length >= limit) break;
  }
  return keys;
}

/** Whether the rows are a set, found once and then sorted: by a search, or because their author changed the score. */
const isSet = ({ words, ids, filter }: LibraryScope): boolean =>
  words !== undefined || ids !== undefined || filter.score_change !== undefined;

type KeysOptions = { after: LibraryPosition | null; limit: number; scores?: number[] };

/**
 * The filter without the day at which a list by date begins, if the position is beyond it: with both, PostgreSQL would
 * read the index from that day.
 */
function withoutPassed(scope: LibraryScope, { date }: LibraryPosition): LibraryFilter {
  const { filter } = scope;
  if (isSet(scope)) return filter;
  if (filter.sort === "oldest") return filter.from && filter.from <= date ? { ...filter, from: undefined } : filter;
  return filter.to && date <= filter.to ? { ...filter, to: undefined } : filter;
}

/** Keys by date, of some scores or of rows without one. */
async function selectKeys(
  db: Db,
  clientId: string,
  scope: LibraryScope,
  { after, limit, scores }: KeysOptions,
): Promise<LibraryKey[]> {
  const { sort } = scope.filter;
  const values: unknown[] = [clientId];
  const value = (given: unknown) => `$${values.push(given)}`;
  const {
    start,
    rows: from,
    where,
  } = sourceOf(after ? { ...scope, filter: withoutPassed(scope, after) } : scope, value);
  const [direction, beyond] = sort === "oldest" ? ["", ">"] : ["desc", "<"];
  // The rows of a set are sorted by score here; all columns in one direction, so that a position is one row.
  const sign = isSet(scope) ? { highest: "", lowest: "-", newest: null, oldest: null }[sort] : null;
  const keys = (of: string) => [
    ...(sign === null ? [] : [`${sign}${of}.score`]),
    ...["date", "created_at", "id"].map((column) => `${of}.${column}`),
  ];
  if (after) {
    const score = sign === null ? [] : [`${sign}${value(after.score)}::int`];
    const position = [`${value(after.date)}::date`, `${value(after.created_at)}::timestamptz`, value(after.id)];
    where.push(`(${keys("r").join(", ")}) ${beyond} (${[...score, ...position].join(", ")})`);
  }
  const order = (of: string) =>
    `order by ${keys(of)
      .map((key) => `${key} ${direction}`)
      .join(", ")} limit ${value(limit)}`;
  const list = (score: string, condition: string) =>
    `(select r.id, r.date, r.created_at, ${score} as score from ${from} where ${where.join(" and ")} ${condition} ${order("r")})`;
  const lists = !scores
    ? [list("0", "")]
    : isSet(scope)
      ? [list("r.score::int", `and r.score = any(${value(scores)}::smallint[])`)]
      : scores.map((score) => list(String(score), `and r.score = ${score}`));
  const { rows } = await db.query<LibraryKey>({
    text: `${start}select id, date::text, to_json(created_at) #>> '{}' as created_at, score
             from (select * from (${lists.join(" union all ")}) k ${order("k")}) k`,
    values,
  });
  return rows;
}

/** How many rows a filter matches. `capped`: words that match more than `MAX_FOUND`, of which only those are listed. */
export async function countLibrary(
  db: Db,
  clientId: string,
  scope: LibraryScope,
): Promise<{ count: number; capped: boolean }> {
  const values: unknown[] = [clientId];
  const { start, rows: from, where } = sourceOf(scope, (given) => `$${values.push(given)}`);
  const { rows } = await db.query<{ n: number }>({
    text: `${start}select count(*)::int as n from ${from} where ${where.join(" and ")}`,
    values,
  });
  const n = rows[0]?.n ?? 0;
  return scope.words !== undefined && n > MAX_FOUND ? { count: MAX_FOUND, capped: true } : { count: n, capped: false };
}

export type PhotoRow = StoredImage & {
  subject_kind: ModeratedKind;
  subject_id: string;
  hidden: boolean;
  claimed_at: string;
};

/** Photos of texts, newest first, after a position. Both states have an index in this order. */
export async function selectPhotos(
  db: Db,
  clientId: string,
  state: PhotoState | undefined,
  after: { claimed_at: string; token: string } | null,
  limit: number,
): Promise<PhotoRow[]> {
  const values: unknown[] = [clientId];
  const value = (given: unknown) => `$${values.push(given)}`;
  const where = ["client_id = $1", "subject_kind in ('review', 'seller_review', 'question')"];
  if (state) where.push(state === "hidden" ? "hidden_at is not null" : "hidden_at is null");
  if (after) where.push(`(claimed_at, token) < (${value(after.claimed_at)}::timestamptz, ${value(after.token)})`);
  const text = `select token, key, format, width, height, sizes, subject_kind, subject_id, hidden_at is not null as hidden,
                       to_json(claimed_at) #>> '{}' as claimed_at
                  from uploads where ${where.join(" and ")} order by uploads.claimed_at desc, token desc limit ${value(limit)}`;
  const { rows } = await db.query<PhotoRow>({ name: statementName(text), text, values });
  return rows;
}
