import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { createKey } from "@/lib/accounts/api-keys";
import { createUser } from "@/lib/accounts/create-user";
import { newSessionCookie } from "@/lib/accounts/sign-in/next-auth";
import { signInToPortal } from "@/lib/accounts/sign-in/portal-sign-in";
import { getClient } from "@/lib/accounts/stores/get-client";
import { postOrder } from "@/lib/orders/post-order";
import { type Order, OrderInput } from "@/lib/orders/schema";
import { pool, transaction } from "@/lib/platform/db/pool";
import type { AssignableRole, Role, Scope } from "@/lib/platform/http/contract";
import { newReviewId, newToken } from "@/lib/platform/ids";
import { perProcess } from "@/lib/platform/process";
import { itemReference } from "@/lib/reviews/decisions/item-reference";
import type { ReviewSubmission } from "@/lib/reviews/reviews/rules";
import { createClient } from "@/lib/settings/create-client";
import { ownTables } from "@/lib/tools/test/filled-tables";

// Creates rows for tests in one line each. Data with business rules is created through the function that enforces them,
// other data is inserted directly. Names are unique, so that tests of a file are independent.

let count = 0;
/** A name unique in this process. */
export function uniqueName(prefix: string): string {
  count += 1;
  return `${prefix}-${process.pid.toString(36)}-${count}`;
}

/** A client in its own account, with a key for only this client. */
export async function aClient(settings: Record<string, unknown> = {}, { test = false } = {}) {
  const id = uniqueName("shop");
  await createClient({ id, settings, test });
  const client = await getClient(id);
  if (!client) throw new Error(`${id} was created but can't be found.`);
  const { secret: key, id: keyId } = await aKey([id]);
  return { id, client, key, keyId, publicKey: client.public_key, accountId: client.account_id };
}
export type TestClient = Awaited<ReturnType<typeof aClient>>;

export const aKey = (clients: string[], scopes?: Scope[]) => createKey({ clients, scopes });

/** A person who can sign in: `basic` is the pair for Basic auth. Operators can access everything. */
export async function aUser(
  role: Role,
  access: { accountId?: string; clients?: string[]; roles?: Record<string, AssignableRole> } = {},
) {
  const { username, password } = await createUser({ username: uniqueName(role), role, ...access });
  return { username, password, basic: [username, password] as const };
}

/** Headers that the browser of a signed-in person sends from portal pages. */
export async function sessionHeaders({ username, password }: { username: string; password: string }) {
  const person = await signInToPortal(username, password, new Headers());
  if (!person) throw new Error("The new person can't sign in.");
  const { name, value } = await newSessionCookie(person, new Headers());
  return { cookie: `${name}=${value}`, host: "localhost:3000", origin: "http://localhost:3000" };
}

/** A new team member, with the headers that their browser sends from portal pages. */
export async function aMember(client: Pick<TestClient, "id" | "accountId">, role: Role = "moderator") {
  const user = await aUser(role, role === "operator" ? {} : { accountId: client.accountId, clients: [client.id] });
  const [{ id }] = await rowsOf("select id from users where username = $1", [user.username]);
  return { id: id as string, name: user.username, headers: await sessionHeaders(user) };
}
export type TestMember = Awaited<ReturnType<typeof aMember>>;

/** The notifications about a client, of all people, oldest first. */
export const notificationsOf = (clientId: string) =>
  rowsOf("select kind, params, path, count, user_id from notifications where client_id = $1 order by id", [clientId]);

type ProductColumns = {
  id?: string;
  family_id?: string;
  brand?: string | null;
  name?: string;
  category?: string | null;
  url?: string | null;
  image_url?: string | null;
  deleted?: boolean;
};

/** Adds products to a client's catalog; missing columns get values. Returns their ids. */
export async function someProducts(clientId: string, products: ProductColumns[]): Promise<string[]> {
  const rows = products.map((given) => {
    const id = given.id ?? uniqueName("sku");
    return {
      family_id: id,
      brand: "Lanterna",
      name: `Lamp ${id}`,
      category: "Lamps",
      url: `https://shop.example/${encodeURIComponent(id)}`,
      image_url: null,
      deleted: false,
      ...given,
      id,
    };
  });
  await pool().query(
    `insert into products (client_id, id, family_id, brand, name, category, url, image_url, deleted)
     select $1, id, family_id, brand, name, category, url, image_url, deleted from jsonb_to_recordset($2::jsonb)
       as p(id text, family_id text, brand text, name text, category text, url text, image_url text, deleted boolean)`,
    [clientId, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

type Columns = Record<string, unknown>;

/** An order, posted through the API. */
export async function anOrder(clientId: string, order: Columns = {}): Promise<Order> {
  const id = uniqueName("order");
  const customer = { id: `${id}-buyer`, name: "Ada Berg", email: `${id}@example.org` };
  const { order: checked } = OrderInput.parse({ order: { id, customer, items: [{ id: "sku-1" }], ...order } });
  return JSON.parse(await postOrder({ id: clientId }, checked));
}

/** Customers `c1`, `c2` … with the names `Ada 1`, `Ada 2` …, each with an order `FF-1`, `FF-2` …, newest first. */
export async function manyCustomers(clientId: string, count: number): Promise<void> {
  await rowsOf(
    `insert into customers (client_id, id, name, email, email_key, id_hash)
     select $1, 'c' || n, 'Ada ' || n, n || '@mail.example', n || '@mail.example', md5($1 || n) from generate_series(1, $2::int) n`,
    [clientId, count],
  );
  await rowsOf(
    `insert into orders (client_id, id, customer_id, created_at)
     select $1, 'FF-' || n, 'c' || n, now() - n * interval '1 minute' from generate_series(1, $2::int) n`,
    [clientId, count],
  );
  for (const table of ["customers", "orders"]) await rowsOf(`analyze ${table}`);
}

type ContributionColumns = Columns & {
  id?: string;
  accepted?: boolean | null;
  /** defaults to now */
  created_at?: Date;
  updated_at?: Date;
};

/** An invitation delegated to the merchant's own sender. */
export async function aDelegatedInvitation(clientId: string, email = "ada@example.org"): Promise<string> {
  const id = uniqueName("inv");
  await rowsOf(
    `insert into invitations (client_id, id, email, email_key, status, day, sent_at, handed_at)
     values ($1, $2, $3, $3, 'sent', current_date, now(), now())`,
    [clientId, id, email],
  );
  return id;
}

/** Inserts reviews, by default pending, from the web, with five stars. Returns their ids. */
export const someReviews = (
  clientId: string,
  reviews: (ContributionColumns & { score?: number })[],
): Promise<string[]> =>
  insertContributions("reviews", clientId, reviews, {
    source: "web",
    product_id: "sku-1",
    family_id: "sku-1",
    product_name: "Lamp",
    author: "Ada",
    score: 5,
    extract: "Warm light.",
  });

/** The same for seller reviews. */
export const someSellerReviews = (
  clientId: string,
  reviews: (ContributionColumns & { score?: number })[],
): Promise<string[]> =>
  insertContributions("seller_reviews", clientId, reviews, {
    source: "invitation",
    author: "Ada",
    score: 5,
    extract: "Quick.",
  });

/** The same for questions. */
export const someQuestions = (clientId: string, questions: ContributionColumns[]): Promise<string[]> =>
  insertContributions("questions", clientId, questions, {
    source: "web",
    product_id: "sku-1",
    family_id: "sku-1",
    product_name: "Lamp",
    author: "Bo",
    question: "Which bulb?",
  });

async function insertContributions(
  table: string,
  clientId: string,
  given: ContributionColumns[],
  defaults: Columns,
): Promise<string[]> {
  const ids: string[] = [];
  for (const columns of given) {
    const id = columns.id ?? newReviewId();
    const accepted = columns.accepted ?? null;
    await insertRow(table, {
      ...defaults,
      date: "2026-01-15",
      feedback_token: newToken(),
      reject_reason: accepted === false ? "unspecified" : null,
      accepted_at: accepted ? new Date() : null,
      ...columns,
      client_id: clientId,
      id,
      accepted,
    });
    ids.push(id);
  }
  return ids;
}

/** Inserts an answer to a question, by default the store's and accepted. Returns its id. */
export async function anAnswer(clientId: string, questionId: string, given: ContributionColumns = {}): Promise<string> {
  const { id = uniqueName("answer"), accepted = true } = given;
  await insertRow("answers", {
    author: "Shop",
    answer: "E27.",
    lang: "en",
    date: "2026-01-16",
    accepted_at: accepted ? new Date() : null,
    ...given,
    client_id: clientId,
    question_id: questionId,
    id,
    accepted,
  });
  return id;
}

/** Inserts the store's reply to a review or seller review. Returns its id. */
export async function aResponse(
  clientId: string,
  kind: "review" | "seller_review",
  subjectId: string,
  given: Columns = {},
): Promise<string> {
  const id = uniqueName("response");
  const usual = { author: "Shop", extract: "Thank you.", lang: "en", date: "2026-01-16" };
  await insertRow("responses", { ...usual, ...given, client_id: clientId, kind, subject_id: subjectId, id });
  return id;
}

/** Objects are inserted as JSON, arrays as arrays. */
async function insertRow(table: string, row: Columns): Promise<void> {
  const columns = Object.keys(row);
  await pool().query(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map((_, index) => `$${index + 1}`).join(", ")})`,
    columns.map((column) => {
      const value = row[column];
      return value !== null && typeof value === "object" && !(value instanceof Date) && !Array.isArray(value)
        ? JSON.stringify(value)
        : value;
    }),
  );
}

/** A review as the web form submits it. */
export const aSubmission = (content: string): ReviewSubmission => ({
  source: "web",
  productId: "sku-1",
  familyId: null,
  productName: null,
  productUrl: null,
  category: null,
  author: "Ada",
  authorEmail: null,
  authorIp: null,
  score: 3,
  title: null,
  content,
  pros: [],
  cons: [],
  recommended: null,
  answers: {},
  images: [],
  lang: null,
  order: null,
  termsAgreed: false,
});

/**
 * The whole database as one text with a hash per table. Equal before and after means nothing was written, except what
 * reads may record (when a key was last used) and when outbox events were relayed.
 */
export async function hashDatabase(): Promise<string> {
  const statement = await perProcess("hash-statement", hashStatement);
  const { rows } = await pool().query<{ name: string; count: string; hash: string | null }>(statement);
  return rows.map(({ name, count, hash }) => `${name} ${count} ${hash}`).join("\n");
}

/** A prepared statement: planning this one takes much longer than running it, and many tests run it twice. */
async function hashStatement(): Promise<pg.QueryConfig> {
  const tables = await rowsOf(
    `select format('%I', relname) as name, string_agg(format('%I', attname), ', ' order by attnum) as columns
       from pg_attribute join pg_class c on c.oid = attrelid
      where relnamespace = 'public'::regnamespace and format('%I', relname) = any($1) and attnum > 0 and not attisdropped
        and attname <> all('{last_used_at,last_sign_in_at,last_seen_at,available_at,relayed_at,taken_until}')
      group by relname order by relname`,
    [await ownTables(pool())],
  );
  const text = tables
    .map(
      ({ name, columns }) =>
        `select '${name}' as name, count(*) as count, sum(hashtextextended(row(${columns})::text, 0)) as hash from ${name}`,
    )
    .join(" union all ")
    // A union returns its parts in any order.
    .concat(" order by name");
  return { name: "hash", text };
}

/** Locks all rows of a client in a table for a while, as a slow transaction does. */
export const holdRows = (clientId: string, table: string, milliseconds: number): Promise<void> =>
  transaction(async (db) => {
    await db.query(`select from ${table} where client_id = $1 order by id for update`, [clientId]);
    await sleep(milliseconds);
  });

/** The rows of a statement, to check what a call has written. */
// biome-ignore lint/suspicious/noExplicitAny: rows of any statement
export async function rowsOf(text: string, values: unknown[] = []): Promise<any[]> {
  return (await pool().query(text, values)).rows;
}

/** What remains of an item's id in its history after it was deleted: its reference in the log. Call it before. */
export async function referenceOf(id: string): Promise<string> {
  const [first] = await rowsOf("select salt from moderation_events where subject_id = $1 order by id limit 1", [id]);
  return itemReference(first.salt);
}

/** Number of statements in this test's database that wait for a row lock. */
export async function countBlockedQueries(): Promise<number> {
  const [{ count }] = await rowsOf(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return count;
}
