import { expect, it } from "vitest";
import { transaction } from "@/lib/platform/db/pool";
import { notYetAvailableSql } from "@/lib/platform/jobs/outbox/enqueue";

it("finds events to withdraw without scanning the whole outbox", async () => {
  const plan = await transaction(async (db) => {
    await db.query("set local enable_seqscan = off");
    const { rows } = await db.query<Record<string, string>>(
      `explain (costs off) delete from outbox where ${notYetAvailableSql}`,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toContain("Index Cond: (available_at > now())");
});
