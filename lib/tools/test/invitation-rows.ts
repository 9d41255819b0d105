import { pool } from "@/lib/platform/db/pool";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";

/** Rows for the invitation tests, inserted directly. */

type ClientSettings = Record<string, unknown>;

/** Creates a client in its own account; `settings` are columns of `clients`. */
export async function makeClient(id: string, settings: ClientSettings = {}): Promise<string> {
  await pool().query("insert into accounts (id, name) values ('acc', 'Lanterna') on conflict do nothing");
  const columns = {
    id,
    account_id: "acc",
    display_name: "Lanterna",
    email_name: "Lanterna",
    public_key: `pk_${id}`,
    ...settings,
  };
  const names = Object.keys(columns);
  const values = Object.values(columns).map((value) =>
    value !== null && typeof value === "object" ? JSON.stringify(value) : value,
  );
  await pool().query(
    `insert into clients (${names.join(", ")}) values (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
    values,
  );
  return id;
}

type Customer = { id: string; email?: string | null; name?: string | null; lang?: string | null; opt_out?: boolean };

export async function makeCustomer(
  client: string,
  { id, email = null, name = null, lang = null, opt_out = false }: Customer,
) {
  await pool().query(
    `insert into customers (client_id, id, name, email, email_key, id_hash, email_hash, lang, opt_out_by_order)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      client,
      id,
      name,
      email,
      email && emailKey(email),
      personHash(client, "customer", id),
      email && personHash(client, "email", email),
      lang,
      opt_out,
    ],
  );
}

type Item = {
  id: string;
  delivery_date?: string | null;
  reviewable?: boolean;
  /** the merchant removed it from the order: then it isn't reviewable either */
  cancelled?: boolean;
  held?: boolean;
  /** the day on which the hold ends */
  held_until?: string | null;
  name?: string;
  image_url?: string;
};

export async function makeOrder(client: string, id: string, customer: string, items: Item[]): Promise<void> {
  await pool().query("insert into orders (client_id, id, customer_id) values ($1, $2, $3)", [client, id, customer]);
  for (const [position, item] of items.entries())
    await pool().query(
      `insert into order_items (client_id, order_id, id, position, name, image_url, delivery_date, reviewable, held_at, reviewable_set, held_until)
       values ($1, $2, $3, $4, $5, $6, $7, $8, case when $9 then now() end, case when $10 then false end, $11)`,
      [
        client,
        id,
        item.id,
        position,
        item.name ?? null,
        item.image_url ?? null,
        item.delivery_date ?? null,
        item.reviewable ?? true,
        item.held ?? false,
        item.cancelled ?? false,
        item.held_until ?? null,
      ],
    );
}

export async function makeProduct(
  client: string,
  id: string,
  { deleted = false, name = id, image_url = null as string | null } = {},
) {
  await pool().query(
    "insert into products (client_id, id, family_id, name, deleted, image_url) values ($1, $2, $2, $3, $4, $5)",
    [client, id, name, deleted, image_url],
  );
}

export async function makeReview(
  client: string,
  review: {
    id: string;
    product_id: string;
    date: string;
    customer_id?: string | null;
    email_key?: string | null;
    order_id?: string | null;
  },
): Promise<void> {
  await pool().query(
    `insert into reviews (client_id, id, source, product_id, score, date, customer_id, email_key, feedback_token, order_id)
     values ($1, $2, 'web', $3, 4, $4, $5, $6, $7, $8)`,
    [
      client,
      review.id,
      review.product_id,
      review.date,
      review.customer_id ?? null,
      review.email_key ?? null,
      `${client}-${review.id}`,
      review.order_id ?? null,
    ],
  );
}
