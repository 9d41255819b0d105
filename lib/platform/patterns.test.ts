import { expect, it } from "vitest";
import { collectRegexes, regexesWithStatus } from "@/lib/tools/test/regexes";

// A pattern that takes time out of proportion over a text made for it holds up everybody. Each one of the service is
// checked, since few stay away from what strangers write: here for a moment, in patterns.soak.test.ts to the end.

const { patterns, unresolvedFiles } = collectRegexes();

/** Patterns made of texts of our own, of which whatever else goes into them is escaped. */
const madeWhenNeeded = [
  "lib/moderation/rules/detectors/numbers.ts",
  "lib/api/route.ts",
  "lib/api/server.ts",
  "lib/platform/mail/deliver-mails.ts",
  "lib/reviews/replies/rules.ts",
];

it("reads all patterns but those that are made when they are needed", () => {
  expect(unresolvedFiles.sort()).toEqual(madeWhenNeeded.sort());
  expect(patterns.length).toBeGreaterThan(300);
});

it("has no pattern that is soon found to be slow", { timeout: 60_000 }, async () => {
  const slow = await regexesWithStatus((status) => status === "vulnerable", patterns, { timeout: 50 });
  expect(slow).toEqual([]);
});
