import pg from "pg";
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

it("logs a lost connection without its settings and statements", async () => {
  const own = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  const lost = new Promise<Error>((resolve) => own.once("error", resolve));
  const { rows } = await own.query("select pg_backend_pid() as pid");
  await pool().query("select pg_terminate_backend($1)", [rows[0].pid]);
  const error = await lost;
  await own.end();
  expect(error).toHaveProperty("client");
  expect(loggedError(error)).toMatchObject({ code: "57P01" });
  expect(loggedError(error)).not.toHaveProperty("client");
});
