import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pool } from "@/lib/platform/db/pool";
import { emptyDatabase, emptyDatabaseWithin } from "@/lib/tools/test/database";

let writer: pg.PoolClient;
beforeEach(async () => {
  await emptyDatabase();
  writer = await pool().connect();
  await writer.query("begin");
});
afterEach(async () => {
  await writer.query("rollback");
  writer.release();
});

const write = (id: string) =>
  writer.query("insert into outbox (name, data) values ('test/event', jsonb_build_object('id', $1::text))", [id]);
const rows = async () => (await pool().query("select from outbox")).rowCount;

it("waits for an open transaction, and deletes what it wrote", async () => {
  await write("late");
  let done = false;
  const emptied = emptyDatabase().then(() => {
    done = true;
  });
  await sleep(700);
  expect(done).toBe(false);
  await writer.query("commit");
  await emptied;
  expect(await rows()).toBe(0);
});

it("yields to a transaction that locks an earlier table", async () => {
  await write("first");
  const emptied = emptyDatabase();
  await sleep(100);
  await writer.query("lock table accounts in row exclusive mode");
  await writer.query("commit");
  await emptied;
  expect(await rows()).toBe(0);
});

it("names a transaction that stays open too long", async () => {
  await write("for ever");
  await expect(emptyDatabaseWithin(400)).rejects.toThrow(
    /^The database can't be emptied: after 400 ms these transactions are still open:\n {2}idle in transaction: insert into outbox/,
  );
  await writer.query("rollback");
  await emptyDatabase();
});
