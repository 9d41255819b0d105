import { describe, expect, it, vi } from "vitest";
import { batch } from "@/lib/platform/db/batch";
import {
  enclosingTransaction,
  isDatabaseUnavailable,
  isDuplicate,
  pool,
  transaction,
  writePool,
} from "@/lib/platform/db/pool";
import { uniqueName } from "@/lib/tools/test/factories";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a transaction that loses its connection", () => {
  it.each(["between two statements", "before it is committed"])(
    "%s reports the database as unavailable",
    async (when) => {
      const broken = transaction(async (db) => {
        const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
        await pool().query("select pg_terminate_backend($1)", [rows[0]?.pid]);
        await sleep(50); // the connection is idle when it breaks
        if (when === "between two statements") await db.query("select 1");
      });
      const error = await broken.then(
        () => null,
        (thrown) => thrown,
      );
      expect(error).not.toBeNull();
      expect(isDatabaseUnavailable(error)).toBe(true);
      expect((await pool().query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    },
  );

  it("doesn't report an invalid statement as unavailable", async () => {
    const error = await transaction((db) => db.query("select no_such_column")).catch((thrown) => thrown);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  it("handles errors without a text code", () => {
    expect(isDatabaseUnavailable(Object.assign(new Error("Aborted"), { code: 20 }))).toBe(false);
    expect(isDatabaseUnavailable(null)).toBe(false);
  });
});

describe("enclosingTransaction", () => {
  const add = (id: string) => ["insert into accounts (id, name) values ($1, 'A')", [id]] as [string, string[]];
  const storedIds = async (ids: string[]) =>
    (await pool().query("select id from accounts where id = any($1) order by id", [ids])).rows.map(({ id }) => id);

  it("commits all writes of the call or none", async () => {
    const ids = [uniqueName("acc"), uniqueName("acc"), uniqueName("acc")] as const;
    const write = (fail: boolean) =>
      enclosingTransaction(async (db, join) => {
        await join(async () => {
          await transaction((own) => own.query(...add(ids[0])));
          await writePool().query(...add(ids[1]));
        });
        expect(await storedIds([...ids])).toEqual([]); // not before the end
        await db.query(...add(ids[2]));
        if (fail) throw new Error("enough");
      });
    await expect(write(true)).rejects.toThrow("enough");
    expect(await storedIds([...ids])).toEqual([]);
    await write(false);
    expect(await storedIds([...ids])).toEqual([...ids].sort());
  });

  it("continues without a part that failed", async () => {
    const [first, second] = [uniqueName("acc"), uniqueName("acc")];
    await enclosingTransaction((_, join) =>
      join(async () => {
        await transaction((db) => db.query(...add(first)));
        for (const again of [
          () => writePool().query(...add(first)),
          () =>
            transaction(async (db) => {
              await db.query(...add(second));
              return db.query(...add(first));
            }),
        ])
          expect(isDuplicate(await again().catch((error) => error))).toBe(true);
      }),
    );
    expect(await storedIds([first, second])).toEqual([first]);
  });

  it("starts the time limit with the first write", async () => {
    const [first, second] = [uniqueName("acc"), uniqueName("acc")];
    const write = (id: string) => transaction((db) => db.query(...add(id)));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await enclosingTransaction(async (_, join) => {
        vi.advanceTimersByTime(10_000); // such as slow work before the first write
        await join(() => write(first));
      });
      const late = enclosingTransaction(async (_, join) => {
        await join(() => write(second));
        vi.advanceTimersByTime(4_600);
      });
      await expect(late).rejects.toMatchObject({ code: "unavailable" });
    } finally {
      vi.useRealTimers();
    }
    expect(await storedIds([first, second])).toEqual([first]);
  });

  it("releases session locks", async () => {
    const lockInTransaction = (fail: boolean) =>
      enclosingTransaction(async (db) => {
        await db.query("select pg_advisory_lock(4711)");
        if (fail) throw new Error("enough");
      });
    await lockInTransaction(false);
    await expect(lockInTransaction(true)).rejects.toThrow("enough");
    const held = await pool().query("select from pg_locks where locktype = 'advisory' and objid = 4711");
    expect(held.rowCount).toBe(0);
  });

  it("excludes shared batches", async () => {
    const id = uniqueName("acc");
    const adding = batch<string, number>("test-accounts", async (ids) => {
      await transaction(async (db) => {
        for (const each of ids) await db.query(...add(each));
      });
      return ids.map(() => 1);
    });
    const failed = enclosingTransaction(async (_, join) => {
      await join(() => adding(id));
      throw new Error("enough");
    });
    await expect(failed).rejects.toThrow("enough");
    expect(await storedIds([id])).toEqual([id]);
  });
});
