import pg from "pg";
import { hashSecret } from "@/lib/accounts/sign-in/api-key";
import { pick, randomReview, seededRandom } from "@/lib/tools/bench/texts";

// The measured clients. One is only read, the other is written to.

export const readerClient = { id: "read.bench.example", secretKey: "sk_bench_reader_0123456789abcdef" };
export const writerClient = {
  id: "write.bench.example",
  publicKey: "pk_bench_writer",
  secretKey: "sk_bench_writer_0123456789abcdef",
};

/** Products of each client, five per family. */
export const PRODUCTS = 1_000;
export const productId = (index: number): string => `SKU-${String(index).padStart(4, "0")}`;
export const familyId = (index: number): string => `FAM-${String(Math.floor(index / 5)).padStart(3, "0")}`;

/** Token for votes on the writer client's review of this product; each product has one review. */
export const feedbackToken = (index: number): string => `bench-${index}`;

/** Orders of each client, each with its own customer. */
const ORDERS = 50_000;
const BATCH = 2_000;

/**
 * Fills an empty database: two clients with {@link PRODUCTS} products and {@link ORDERS} orders each, and `rows`
 * reviews of the reader client, from three years in the order they were written. The database's triggers create bodies
 * and counters. `plain_reviews`, `plain_orders` and `plain_votes` have the same rows as `reviews`, `orders` and
 * `votes`, without triggers and foreign keys.
 */
export async function seed(url: string, rows: number): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await db.query("insert into accounts (id, name) values ('acc_bench', 'Bench')");
    for (const [id, key] of [
      [readerClient.id, "pk_bench_reader"],
      [writerClient.id, writerClient.publicKey],
    ] as const) {
      await db.query(
        "insert into clients (id, account_id, display_name, email_name, public_key) values ($1, 'acc_bench', $1, $1, $2)",
        [id, key],
      );
      await insert(db, "products", products(id));
    }
    for (const { id, secretKey } of [readerClient, writerClient]) {
      await db.query(
        `insert into api_keys (id, account_id, name, prefix, secret_hash, scopes)
         values ($1, 'acc_bench', $1, 'sk_bench_', $2, '{read,write,privacy}')`,
        [`key_${id}`, hashSecret(secretKey)],
      );
      await db.query("insert into api_key_clients (key_id, client_id) values ($1, $2)", [`key_${id}`, id]);
    }

    const random = seededRandom(rows);
    const began = Date.UTC(2023, 0, 1);
    const intervalMs = (3 * 365 * 86_400_000) / rows;
    for (let first = 0; first < rows; first += BATCH) {
      const size = Math.min(BATCH, rows - first);
      await insert(
        db,
        "reviews",
        Array.from({ length: size }, (_, index) => review(random, new Date(began + (first + index) * intervalMs))),
      );
    }
    const votedReviews = Array.from({ length: PRODUCTS }, (_, index) => votedReview(random, index, new Date(began)));
    await insert(db, "reviews", votedReviews);
    for (const { id } of [readerClient, writerClient]) await insertOrders(db, id);
    // Tables for the plain yardstick's writes: the same columns, checks, indexes and rows.
    for (const table of ["reviews", "orders", "votes"]) {
      await db.query(
        `create table plain_${table} (like ${table} including defaults including constraints including generated including indexes)`,
      );
      const { rows: found } = await db.query<{ columns: string }>(
        `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
          where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
        [table],
      );
      const columns = found[0]?.columns;
      await db.query(`insert into plain_${table} (${columns}) select ${columns} from ${table}`);
    }
    await db.query("vacuum (analyze)");
  } finally {
    await db.end();
  }
}

/** Inserts rows given as objects; missing columns get their defaults. */
async function insert(db: pg.Client, table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
    .map((name) => db.escapeIdentifier(name))
    .join(", ");
  await db.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/** Orders of the last three years, every other one of two products. */
async function insertOrders(db: pg.Client, clientId: string): Promise<void> {
  const customer = "'C-' || to_char(n, 'FM000000000000') as customer_id";
  await db.query(
    `with made as (
       select n, ${customer}, 'O-' || to_char(n, 'FM000000000000') as id, 'shopper' || n || '@mail.example' as email,
              timestamptz '2023-01-01' + n * (interval '3 years' / $2) as at
         from generate_series(1, $2::int) n),
     person as (
       insert into customers (client_id, id, id_hash, name, email, email_key, email_hash, lang, created_at, updated_at)
       select $1, customer_id, md5(customer_id), 'Shopper ' || n, email, email, md5(email), 'en', at, at from made),
     head as (
       insert into orders (client_id, id, customer_id, store_name, created_at, updated_at)
       select $1, id, customer_id, 'Web', at, at from made)
     insert into order_items (client_id, order_id, id, position, delivery_date, reviewable, created_at, updated_at)
     select $1, id, 'SKU-' || to_char((n * 7 + line) % $3, 'FM0000'), line, at::date + 2, true, at, at
       from made cross join generate_series(0, n % 2) line`,
    [clientId, ORDERS, PRODUCTS],
  );
}

const products = (clientId: string) =>
  Array.from({ length: PRODUCTS }, (_, index) => ({
    client_id: clientId,
    id: productId(index),
    family_id: familyId(index),
    brand: "Bench & Söner",
    name: `Thing no. ${index}, the good one`,
    category: "Home > Kitchen > Things",
    url: `https://shop.example/things/${index}`,
    gtin14s: [],
    tags: [],
    match_status: null,
    deleted: false,
    properties: {},
    created_at: "2022-12-01T00:00:00Z",
    updated_at: "2022-12-01T00:00:00Z",
  }));

function review(random: () => number, at: Date) {
  const index = Math.floor(random() ** 2 * PRODUCTS); // some products have far more reviews than others
  const bought = random() < 0.7;
  const roll = random();
  const accepted = roll < 0.88 ? true : roll < 0.94 ? false : null;
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");
  const customer = Math.floor(random() * 50_000);
  const email = `shopper${customer}@mail.example`;
  return {
    ...randomReview(random),
    client_id: readerClient.id,
    id: hex(16),
    feedback_token: hex(22),
    source: bought ? "invitation" : "web",
    product_id: productId(index),
    family_id: familyId(index),
    product_name: `Thing no. ${index}, the good one`,
    category: bought ? "Home > Kitchen > Things" : null,
    order_id: bought ? `1000${Math.floor(random() * 1e6)}` : null,
    customer_id: bought ? String(customer) : null,
    author_email: email,
    email_key: email,
    answers: random() < 0.2 ? { fit: pick(random, ["small", "right", "large"]) } : {},
    responses: [],
    images: random() < 0.06 ? [image(hex)] : [],
    date: at.toISOString().slice(0, 10),
    verified_buyer: bought,
    verified_email: bought,
    votes_up: Math.floor(random() ** 4 * 20),
    votes_down: Math.floor(random() ** 6 * 5),
    flag_count: 0,
    accepted,
    accepted_at: accepted ? at.toISOString() : null,
    reject_reason: accepted === false ? "not_about_product" : null,
    decided_at: accepted === null ? null : at.toISOString(),
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  };
}

/** A review of the writer client that visitors vote on. */
const votedReview = (random: () => number, index: number, at: Date) => ({
  ...review(random, at),
  client_id: writerClient.id,
  product_id: productId(index),
  family_id: familyId(index),
  feedback_token: feedbackToken(index),
  accepted: true,
  accepted_at: at.toISOString(),
  reject_reason: null,
  votes_up: 0,
  votes_down: 0,
});

const image = (hex: (digits: number) => string) => ({
  token: hex(32),
  key: hex(32),
  format: "jpeg",
  width: 3024,
  height: 4032,
  sizes: { icon: [100, 100], medium: [1200, 1600], large: [2880, 3840] },
});
