import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { pool } from "@/lib/platform/db/pool";
import { aClient, someReviews } from "@/lib/tools/test/factories";

const migration = readFileSync(
  path.join(import.meta.dirname, "migrations/20261129000000_votes_by_address/migration.sql"),
  "utf8",
);

it("removes the voters of stored reports, and nothing else of them or of votes", async () => {
  const { id: shop } = await aClient();
  const [review] = await someReviews(shop, [{ accepted: true }]);
  const db = await pool().connect();
  try {
    await db.query("begin");
    await db.query("drop index votes_by_address_idx, flags_by_address_idx");
    await db.query(
      `insert into flags (client_id, id, review_id, voter, comment, resolved_at)
       values ($1, 'closed', $2, 'hash-1', 'Spam', now()), ($1, 'open', $2, 'hash-2', null, null)`,
      [shop, review],
    );
    await db.query("insert into votes (client_id, review_id, voter, value) values ($1, $2, 'hash-1', 1)", [
      shop,
      review,
    ]);
    await db.query(migration);
    const { rows: reports } = await db.query(
      "select id, voter, comment, resolved_at is null as open from flags where client_id = $1 order by id",
      [shop],
    );
    const { rows: votes } = await db.query("select voter from votes where client_id = $1", [shop]);
    expect(reports).toEqual([
      { id: "closed", voter: null, comment: "Spam", open: false },
      { id: "open", voter: null, comment: null, open: true },
    ]);
    expect(votes).toEqual([{ voter: "hash-1" }]);
  } finally {
    await db.query("rollback");
    db.release();
  }
});
