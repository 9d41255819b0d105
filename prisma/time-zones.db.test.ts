import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { pool } from "@/lib/platform/db/pool";
import { aClient, rowsOf } from "@/lib/tools/test/factories";

const migration = readFileSync(
  path.join(import.meta.dirname, "migrations/20261202000000_come_excluded/migration.sql"),
  "utf8",
);

it("removes time zones that PostgreSQL doesn't know", async () => {
  const configs = [
    { time_zone: "AET", max_items: 3 },
    { time_zone: "JST" },
    { time_zone: "europe/stockholm" },
    { max_items: 3 },
  ];
  const shops: string[] = [];
  for (const config of configs) {
    const { id } = await aClient();
    await rowsOf("update clients set config = $2 where id = $1", [id, config]);
    shops.push(id);
  }
  const db = await pool().connect();
  try {
    await db.query("begin");
    // As it was before.
    await db.query(
      "create trigger order_items_note_canceled before insert on order_items for each row execute function note_exclusion()",
    );
    await db.query(migration);
    const { rows } = await db.query("select id, config from clients where id = any($1)", [shops]);
    const found = new Map(rows.map(({ id, config }) => [id, config]));
    expect(shops.map((id) => found.get(id))).toEqual([{ max_items: 3 }, {}, configs[2], configs[3]]);
  } finally {
    await db.query("rollback");
    db.release();
  }
});
