import { describe, expect, it } from "vitest";
import { isDatabaseAway, pool, transaction } from "@/lib/db/pool";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a transaction whose connection breaks", () => {
  it.each(["between two statements", "before it is committed"])(
    "%s is told as the database being away",
    async (when) => {
      const broken = transaction(async (db) => {
        const { rows } = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
        await pool().query("select pg_terminate_backend($1)", [rows[0]?.pid]);
        await sleep(50); // the connection learns of it while nothing is asked
        if (when === "between two statements") await db.query("select 1");
      });
      const error = await broken.then(
        () => null,
        (thrown) => thrown,
      );
      expect(error).not.toBeNull();
      expect(isDatabaseAway(error)).toBe(true);
      expect((await pool().query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    },
  );

  it("does not take a wrong statement for that", async () => {
    const error = await transaction((db) => db.query("select no_such_column")).catch((thrown) => thrown);
    expect(isDatabaseAway(error)).toBe(false);
  });
});
