import { expect, it } from "vitest";
import { collectRegexes, regexesWithStatus } from "@/lib/tools/test/regexes";

// A slow pattern (ReDoS) blocks all requests. Every pattern of the service is checked, since most read texts of
// strangers: briefly here, completely in patterns.soak.test.ts.

const { patterns, unresolvedFiles } = collectRegexes();

/** Files that build patterns at runtime from constants and escaped text. */
const builtAtRuntime = [
  "lib/moderation/rules/detectors/personal-numbers.ts",
  "lib/platform/http/path-pattern.ts",
  "lib/platform/mail/deliver-mails.ts",
  "lib/reviews/replies/rules.ts",
  "lib/transfer/foreign-values.ts",
];

it("reads all patterns except those built at runtime", () => {
  expect(unresolvedFiles.sort()).toEqual(builtAtRuntime.sort());
  expect(patterns.length).toBeGreaterThan(300);
});

it("finds no slow pattern in a short search", { timeout: 60_000 }, async () => {
  const slow = await regexesWithStatus((status) => status === "vulnerable", patterns, { timeout: 50 });
  expect(slow).toEqual([]);
});
