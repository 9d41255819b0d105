import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { appendEntries } from "@/lib/honesty/append-entries";
import { computeFigures } from "@/lib/honesty/compute-figures";
import { aClient, rowsOf, someReviews } from "@/lib/tools/test/factories";

const migration = readFileSync(
  path.join(import.meta.dirname, "migrations/20261130070000_incentives/migration.sql"),
  "utf8",
);
const figuresStatement = migration.slice(migration.indexOf("update log_figures"));

it("adds no incentivized reviews to figures that were stored before", async () => {
  const shop = await aClient();
  await someReviews(shop.id, [{ accepted: true, score: 4 }]);
  await appendEntries();
  await computeFigures(shop.id);
  const stored = async () =>
    (await rowsOf("select figures from log_figures where client_id = $1", [shop.id]))[0].figures;
  const figures = await stored();
  await rowsOf(
    `update log_figures set figures = figures #- '{reviews,incentivized}' #- '{product_reviews,incentivized}' #- '{seller_reviews,incentivized}'
      where client_id = $1`,
    [shop.id],
  );
  expect((await stored()).reviews).not.toHaveProperty("incentivized");
  await rowsOf(figuresStatement);
  expect(await stored()).toEqual(figures);
});
