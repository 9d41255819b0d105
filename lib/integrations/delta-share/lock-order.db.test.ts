import { expect, it } from "vitest";
import { pool, transaction } from "@/lib/platform/db/pool";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, countBlockedQueries } from "@/lib/tools/test/factories";
import { deletePersonRows } from "./delete-person";

// Transactions that lock rows of one kind in different orders may deadlock. Imports of a share lock by key; an erasure
// must too, in whatever order the database finds the rows.

/** A person's rows, stored in reverse order of their keys. */
async function aPerson(): Promise<string> {
  const { id } = await aClient();
  await pool().query(
    `insert into share_rows (client_id, part, id, contact_id, email_key, data)
     select $1, part, 'x-' || n, 'x-' || case part when 'contacts' then n else 1 end,
            case part when 'contacts' then 'ada@example.org' end, '{}'
       from unnest(array['receipts', 'items', 'contacts']) with ordinality p(part, place), generate_series(1, 5) n
      order by place, n desc`,
    [id],
  );
  await pool().query(
    `insert into deliveries (client_id, id, type, kind, subject, outcome)
     select $1, 'd-' || kind || n, 'share', kind, 'x-' || n, 'failed'
       from unnest(array['order_refused', 'order_item_refused', 'contact_refused']) with ordinality k(kind, place),
            generate_series(1, 5) n order by place, n desc`,
    [id],
  );
  return id;
}

it.each([
  ["contacts", "share_rows", "part = 'contacts'", "id = 'x-1'", 4],
  ["what they bought", "share_rows", "part <> 'contacts'", "part = 'items' and id = 'x-1'", 9],
  ["what is said of it", "deliveries", "true", "kind = 'contact_refused' and subject = 'x-1'", 14],
])("an erasure locks by key: %s", { timeout: 30_000 }, async (_, table, which, first, others) => {
  const clientId = await aPerson();
  const holder = await pool().connect();
  const rows = (condition: string) =>
    `select from ${table} where client_id = $1 and ${which} and ${condition} for update`;
  const waitingBefore = await countBlockedQueries();
  try {
    await holder.query("begin");
    await holder.query(rows(`(${first})`), [clientId]);
    const erasure = transaction(async (db) => {
      // In physical order, which no lock order may depend on.
      for (const way of ["indexscan", "indexonlyscan", "bitmapscan"]) await db.query(`set local enable_${way} = off`);
      return deletePersonRows(db, clientId, { email: "ada@example.org" });
    });
    await waitUntil(async () => (await countBlockedQueries()) > waitingBefore);
    const free = await holder.query(`${rows(`not (${first})`)} skip locked`, [clientId]);
    await holder.query("rollback");
    expect(await erasure).toBe(5 + 10 + 15);
    expect(free.rowCount).toBe(others);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
});
