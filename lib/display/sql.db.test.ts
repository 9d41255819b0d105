import { expect, it } from "vitest";
import { selectDisplayStates, selectSellerFigures } from "@/lib/display/sql";
import { pool } from "@/lib/platform/db/pool";
import { aClient } from "@/lib/tools/test/factories";

it("plans the look-up of displays anew for the first calls only, however many rows a batch has", async () => {
  const { id } = await aClient();
  const db = await pool().connect();
  try {
    for (const size of [...Array(20).fill(1), ...Array(20).fill(30)]) {
      const targets = Array.from({ length: size }, (_, n) => ({ clientId: id, key: `p${n}`, urlKey: null }));
      await selectDisplayStates(db, targets);
      await selectSellerFigures(
        db,
        targets.map(({ clientId }) => clientId),
      );
    }
    const { rows } = await db.query(
      `select name, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
        where name like 'display-%' order by name`,
    );
    expect(rows).toEqual([
      { name: "display-current", generic: 35, custom: 5 },
      { name: "display-seller", generic: 35, custom: 5 },
    ]);
  } finally {
    db.release(true); // its statements have been counted
  }
});
