import { describe, expect, it, vi } from "vitest";
import { isOutOfSpace } from "@/lib/platform/db/out-of-space";
import {
  type Db,
  enclosingTransaction,
  isDatabaseUnavailable,
  isDuplicate,
  isLockTimeout,
  isSerializationFailure,
  longTransaction,
  pool,
  snapshot,
  transaction,
  writePool,
} from "@/lib/platform/db/pool";
import { prisma } from "@/lib/platform/db/prisma";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { uniqueName } from "@/lib/tools/test/factories";

const enough = new Error("enough");

/** Writes an account by Prisma Client, another by SQL, and an outbox event about the first. */
async function writeAll(db: Db, [first, second]: readonly [string, string]): Promise<void> {
  const models = await prisma(db);
  await models.account.create({ data: { id: first, name: "by Prisma Client" } });
  await db.query("insert into accounts (id, name) values ($1, 'by SQL')", [second]);
  await enqueue(db, [{ name: "mail/queued", data: { mail_id: first } }]);
}

/** Which of these ids other transactions see, in accounts and outbox events. */
async function seen(ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `select id from accounts where id = any($1)
     union all select data ->> 'mail_id' from outbox where data ->> 'mail_id' = any($1) order by id`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

const twoIds = () => [uniqueName("acc"), uniqueName("acc")].sort() as [string, string];
const all = ([first, second]: readonly [string, string]) => [first, first, second];

describe("Prisma Client in a transaction", () => {
  it.each([
    ["a write", transaction],
    ["maintenance", longTransaction],
  ])("commits or rolls back with the SQL and the events of %s", async (_, within) => {
    const ids = twoIds();
    const write = (fail: boolean) =>
      within(async (db) => {
        await writeAll(db, ids);
        expect(await (await prisma(db)).account.count({ where: { id: { in: ids } } })).toBe(2);
        expect(await seen(ids)).toEqual([]); // not before the end
        if (fail) throw enough;
      });
    await expect(write(true)).rejects.toThrow(enough);
    expect(await seen(ids)).toEqual([]);
    await write(false);
    expect(await seen(ids)).toEqual(all(ids));
  });

  it("joins the enclosing transaction of a call and its failing parts", async () => {
    const [ids, failed] = [twoIds(), twoIds()];
    const write = (fail: boolean) =>
      enclosingTransaction(async (db, join) => {
        await join(async () => {
          await transaction((own) => writeAll(own, ids));
          const part = transaction(async (own) => {
            await writeAll(own, failed);
            throw enough;
          });
          await expect(part).rejects.toThrow(enough);
        });
        expect(await (await prisma(db)).account.count({ where: { id: { in: [...ids, ...failed] } } })).toBe(2);
        expect(await seen(ids)).toEqual([]);
        if (fail) throw enough;
      });
    await expect(write(true)).rejects.toThrow(enough);
    expect(await seen(ids)).toEqual([]);
    await write(false);
    expect(await seen([...ids, ...failed])).toEqual(all(ids));
  });

  it("writes related rows without a separate transaction", async () => {
    const id = uniqueName("acc");
    const user = { id: uniqueName("usr"), username: uniqueName("name"), passwordHash: "", role: "admin" };
    const write = transaction(async (db) => {
      const models = await prisma(db);
      await models.account.create({ data: { id, name: "A", users: { create: user } } });
      await db.query("select 1");
      throw enough;
    });
    await expect(write).rejects.toThrow(enough);
    expect(await seen([id])).toEqual([]);
  });

  it("isolates concurrent transactions", async () => {
    const pairs = Array.from({ length: 12 }, twoIds);
    await Promise.allSettled(
      pairs.map((ids, index) =>
        transaction(async (db) => {
          await writeAll(db, ids);
          const found = await Promise.all(
            [0, 1].map(async (at) => (await prisma(db)).account.findUnique({ where: { id: ids[at]! } })),
          );
          expect(found.map((one) => one?.id)).toEqual(ids);
          if (index % 2) throw enough;
        }),
      ),
    );
    const committed = pairs.filter((_, index) => index % 2 === 0);
    expect((await seen(pairs.flat())).sort()).toEqual(committed.flatMap(all).sort());
  });

  it("can't be used after the transaction", async () => {
    const models = await transaction((db) => prisma(db));
    await expect(models.account.count()).rejects.toThrow(/Transaction already closed/);
  });

  it("reads within a snapshot, and rejects what isn't a connection", async () => {
    const id = uniqueName("acc");
    await snapshot(async (db) => {
      const models = await prisma(db);
      const before = await models.account.count();
      await pool().query("insert into accounts (id, name) values ($1, 'later')", [id]);
      expect(await models.account.count()).toBe(before);
    });
    await enclosingTransaction((_, join) => join(async () => expect(prisma(writePool())).rejects.toThrow(TypeError)));
  });

  it("joins transactions of the process's other module graph", async () => {
    await prisma(); // the first module graph loads Prisma Client
    vi.resetModules();
    const other = await import("@/lib/platform/db/prisma");
    expect(other.prisma).not.toBe(prisma);
    const id = uniqueName("acc");
    const write = other.transaction(async (db) => {
      await (await other.prisma(db)).account.create({ data: { id, name: "A" } });
      const { rows } = await db.query("select 1 from accounts where id = $1", [id]);
      expect(rows).toHaveLength(1);
      throw enough;
    });
    await expect(write).rejects.toThrow(enough);
    expect(await seen([id])).toEqual([]);
  });

  it("uses the connections of the pool", async () => {
    await Promise.all(Array.from({ length: 30 }, async () => (await prisma()).account.count()));
    expect(pool().totalCount).toBeLessThanOrEqual(8);
    const { rows } = await pool().query("select source, setting from pg_settings where name = 'TimeZone'");
    expect(rows).toEqual([{ source: "session", setting: "UTC" }]); // regardless of the database's setting
  });
});

describe("an error wrapped by Prisma Client", () => {
  const caught = (work: (db: Db) => Promise<unknown>) =>
    transaction(work).then(
      () => null,
      (error) => error,
    );
  const raise = (code: string) =>
    caught(async (db) =>
      (await prisma(db)).$executeRawUnsafe(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`),
    );

  it("is recognized as a unique violation of a named key", async () => {
    const id = uniqueName("acc");
    const again = { data: { id, name: "A" } };
    await (await prisma()).account.create(again);
    const error = await caught(async (db) => (await prisma(db)).account.create(again));
    expect(isDuplicate(error)).toBe(true);
    expect(isDuplicate(error, "accounts_pkey")).toBe(true);
    expect(isDuplicate(error, "accounts_other")).toBe(false);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  it("is recognized as retryable, unavailable or permanent", async () => {
    expect(isSerializationFailure(await raise("40001"))).toBe(true);
    expect(isSerializationFailure(await raise("40P01"))).toBe(true);
    expect(isLockTimeout(await raise("55P03"))).toBe(true);
    expect(isOutOfSpace(await raise("53100"))).toBe(true);
    for (const code of ["57014", "53300", "53100", "57P01"])
      expect(isDatabaseUnavailable(await raise(code))).toBe(true);
  });

  it("is recognized as a lost connection", async () => {
    const error = await caught(async (db) => {
      const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
      const models = await prisma(db);
      await pool().query("select pg_terminate_backend($1)", [rows[0]?.pid]);
      return models.account.count();
    });
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});
