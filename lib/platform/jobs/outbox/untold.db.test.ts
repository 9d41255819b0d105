import { expect, it } from "vitest";
import { transaction } from "@/lib/platform/db/pool";
import { untold } from "@/lib/platform/jobs/outbox/enqueue";

it("what can be taken back is found without a look at all that waits to be told", async () => {
  const plan = await transaction(async (db) => {
    await db.query("set local enable_seqscan = off");
    const { rows } = await db.query<Record<string, string>>(`explain (costs off) delete from outbox where ${untold}`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toContain("Index Cond: (available_at > now())");
});
