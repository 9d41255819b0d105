import { expect, it } from "vitest";
import { pool } from "@/lib/platform/db/pool";
import { loggedError } from "@/lib/platform/log";
import { aClient, someReviews } from "@/lib/tools/test/factories";

it("logs a database error without the row", async () => {
  const { id } = await aClient();
  await someReviews(id, [{ author: "Ada Lovelace", author_email: "ada@example.org", extract: "My own words." }]);
  const error = await pool()
    .query("update reviews set score = 9 where client_id = $1", [id])
    .catch((thrown) => thrown);
  expect(error.detail).toContain("My own words.");
  const logged = loggedError(error);
  expect(logged).toMatchObject({ code: "23514", constraint: "reviews_score_check", table: "reviews" });
  expect(JSON.stringify(logged)).not.toMatch(/Ada|example\.org|own words/);
  expect(logged.stack).toContain("log.db.test.ts");
  expect(loggedError(new Error("plain", { cause: new Error("deeper") })).message).toContain("deeper");
});
