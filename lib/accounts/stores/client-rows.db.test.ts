import { describe, expect, it } from "vitest";
import { saveView } from "@/lib/moderation/saved-views";
import { OrderInput } from "@/lib/orders/schema";
import { storeOrder } from "@/lib/orders/store-order";
import { pool } from "@/lib/platform/db/pool";
import { aClient, aMember, anOrder, rowsOf, someReviews, uniqueName } from "@/lib/tools/test/factories";

// Guarantees of the database for rows that reference a client without a foreign key (prisma/README.md).

const foreignKeyViolation = { code: "23503" };
const countRows = async (clientId: string) => {
  const found: Record<string, number> = {};
  for (const table of [
    ...["reviews", "customers", "orders", "order_items", "product_summaries", "moderation_events"],
    ...["responses", "mails", "saved_views", "review_counts"],
  ])
    found[table] = (await rowsOf(`select from ${table} where client_id = $1`, [clientId])).length;
  return found;
};
/** How many sessions wait for the lock that writes and the deletion of a client exclude each other with. */
const waitingForClients = async (): Promise<number> =>
  (
    await rowsOf(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
  ).length;
const nothing = Object.fromEntries(Object.keys(await countRows("")).map((table) => [table, 0]));

describe("rows that reference a client", () => {
  it("are rejected for an unknown client, with the whole statement", async () => {
    const shop = await aClient();
    const customers = (ids: string[]) =>
      pool().query("insert into customers (client_id, id, id_hash) select id, 'c', 'h' from unnest($1::text[]) id", [
        ids,
      ]);
    await expect(customers([shop.id, uniqueName("nobody")])).rejects.toMatchObject({
      ...foreignKeyViolation,
      table: "customers",
    });
    // The history of a new store has its settings.
    expect(await countRows(shop.id)).toEqual({ ...nothing, moderation_events: 1 });
    await expect(someReviews(uniqueName("nobody"), [{}])).rejects.toMatchObject(foreignKeyViolation);
    const { order } = OrderInput.parse({ order: { id: "o", customer: { id: "c" } } });
    const write = { clientId: uniqueName("nobody"), customer: order.customer, order };
    await expect(storeOrder(pool(), write)).rejects.toMatchObject(foreignKeyViolation);
  });

  it("are deleted with it, and no one else's", async () => {
    const [shop, other] = [await aClient(), await aClient()];
    // An operator isn't deleted with the store, as its members may be.
    const person = await aMember(shop, "operator");
    for (const { id } of [shop, other]) {
      await saveView(person, { id }, "library", { name: "Ada’s", query: "q=ada" });
      await anOrder(id);
      const [review = ""] = await someReviews(id, [{ accepted: true }, { accepted: null }]);
      await rowsOf(
        `insert into responses (client_id, id, kind, subject_id, author, extract, date)
         values ($1, 'reply', 'review', $2, 'Lamps', 'Thank you, Ada.', current_date)`,
        [id, review],
      );
      await rowsOf(
        `insert into mails (id, client_id, idempotency_key, kind, "to", to_key, "from", subject, html, status)
         values ($1, $1, $1, 'invitation', 'a@x.example', 'a@x.example', 'b', 's', '<a href="link">', 'kept')`,
        [id],
      );
    }
    const others = await countRows(other.id);
    expect(others).toMatchObject({
      reviews: 2,
      customers: 1,
      orders: 1,
      order_items: 1,
      responses: 1,
      mails: 1,
      saved_views: 1,
    });
    await rowsOf("delete from clients where id = $1", [shop.id]);
    expect(await countRows(shop.id)).toEqual(nothing);
    expect(await countRows(other.id)).toEqual(others);
  });

  it("are deleted with it in every table, except the audit log and events that are still delivered", async () => {
    const byTrigger = [
      "customers",
      "mails",
      "moderation_events",
      "responses",
      "review_counts",
      "reviews",
      "submissions",
    ];
    const remaining = await rowsOf(
      `with recursive deleted (id) as (
         select oid from pg_class where relname = any($1) and relnamespace = 'public'::regnamespace
         union select conrelid from pg_constraint join deleted on confrelid = deleted.id where contype = 'f' and confdeltype = 'c')
       select relname from pg_class join pg_attribute on attrelid = oid
        where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'client_id'
          and oid not in (select id from deleted) order by 1`,
      [["clients", ...byTrigger]],
    );
    expect(remaining.map(({ relname }) => relname)).toEqual(["audit_entries", "outbox"]);
  });

  it("are deleted with it even if they are written concurrently", async () => {
    const shop = await aClient();
    const writer = await pool().connect();
    try {
      await writer.query("begin");
      await writer.query("insert into customers (client_id, id, id_hash) values ($1, 'c', 'h')", [shop.id]);
      const end = pool().query("delete from clients where id = $1", [shop.id]);
      await expect.poll(waitingForClients).toBe(1);
      await writer.query("commit");
      await end;
    } finally {
      writer.release();
    }
    expect(await countRows(shop.id)).toEqual(nothing);
  });

  it("are rejected if it's deleted while they wait to be written", async () => {
    const shop = await aClient();
    const deleter = await pool().connect();
    try {
      await deleter.query("begin");
      await deleter.query("delete from clients where id = $1", [shop.id]);
      const write = pool()
        .query("insert into customers (client_id, id, id_hash) values ($1, 'c', 'h')", [shop.id])
        .catch((error: unknown) => error);
      await expect.poll(waitingForClients).toBe(1);
      await deleter.query("commit");
      expect(await write).toMatchObject(foreignKeyViolation);
    } finally {
      deleter.release();
    }
    expect(await countRows(shop.id)).toEqual(nothing);
  });
});

it("rejects changes of a client's id", async () => {
  const shop = await aClient();
  await expect(rowsOf("update clients set id = id || 'x' where id = $1", [shop.id])).rejects.toThrow(/does not change/);
});

it("records a replaced address once, and not the present one", async () => {
  const shop = await aClient();
  const pastAddresses = () =>
    rowsOf("select customer_id, email_key from customer_emails where client_id = $1 order by 2", [shop.id]);
  const post = (email?: string | null) => anOrder(shop.id, { customer: { id: "c", name: "Ada", email } });
  await post("Ada@Example.org");
  await post("ada@example.org");
  await post(undefined);
  expect(await pastAddresses()).toEqual([]);
  for (const email of ["b@example.org", "ada@example.org", "b@example.org", null]) await post(email);
  expect(await pastAddresses()).toEqual([
    { customer_id: "c", email_key: "ada@example.org" },
    { customer_id: "c", email_key: "b@example.org" },
  ]);
});
