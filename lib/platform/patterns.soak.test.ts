import { expect, it } from "vitest";
import { patternsOfService, patternsThatAre } from "@/lib/tools/test/patterns";

// The search to the end of what patterns.test.ts begins.

it("takes time in proportion to the text, whatever it holds", { timeout: 300_000 }, async () => {
  const { patterns } = patternsOfService();
  const slow = await patternsThatAre((status) => status !== "safe", patterns, { timeout: 200_000 });
  expect(slow).toEqual([]);
});
