import { expect, it } from "vitest";
import { collectRegexes, regexesWithStatus } from "@/lib/tools/test/regexes";

// The complete search; patterns.test.ts only runs a short one.

it("matches every text in linear time", { timeout: 300_000 }, async () => {
  const { patterns } = collectRegexes();
  const slow = await regexesWithStatus((status) => status !== "safe", patterns, { timeout: 200_000 });
  expect(slow).toEqual([]);
});
