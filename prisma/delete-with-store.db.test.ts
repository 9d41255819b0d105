import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { pool } from "@/lib/platform/db/pool";
import { aClient, uniqueName } from "@/lib/tools/test/factories";

const migration = readFileSync(
  path.join(import.meta.dirname, "migrations/20261128600000_delete_replies_and_emails_with_store/migration.sql"),
  "utf8",
);

it("deletes replies and emails of stores that are already deleted, and no others", async () => {
  const [{ id: shop }, gone] = [await aClient(), uniqueName("gone")];
  const db = await pool().connect();
  try {
    await db.query("begin");
    await db.query(
      `insert into responses (client_id, id, kind, subject_id, author, extract, date)
       select id, 'reply', 'review', 'rev', 'Lamps', 'Thank you, Ada.', current_date from unnest($1::text[]) id`,
      [[shop, gone]],
    );
    await db.query(
      `insert into mails (id, client_id, idempotency_key, kind, "to", to_key, "from", subject, status)
       select 'of ' || id, nullif(id, ''), id, 'invitation', 'a', 'a', 'b', 's', 'sent' from unnest($1::text[]) id`,
      [[shop, gone, ""]],
    );
    await db.query(migration);
    const { rows: replies } = await db.query("select client_id from responses where id = 'reply'");
    const { rows: mails } = await db.query("select client_id from mails where id like 'of %' order by client_id");
    expect([replies, mails]).toEqual([[{ client_id: shop }], [{ client_id: shop }, { client_id: null }]]);
  } finally {
    await db.query("rollback");
    db.release();
  }
});
