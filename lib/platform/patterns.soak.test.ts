import { expect, it } from "vitest";
import { collectRegexes, regexesWithStatus } from "@/lib/tools/test/regexes";

// The search to the end of what patterns.test.ts begins.

it("takes time in proportion to the text, whatever it holds", { timeout: 300_000 }, async () => {
  const { patterns } = collectRegexes();
  const slow = await regexesWithStatus((status) => status !== "safe", patterns, { timeout: 200_000 });
  expect(slow).toEqual([]);
});
