import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

// Reads the source, since the script itself needs a page.
const source = readFileSync(path.join(import.meta.dirname, "main.ts"), "utf8");

it("gives the module for pages of a hosted service the same code in the same order, so that cached scripts work", () => {
  const [, list = ""] = /const tools = \[([^\]]*)\] as const;/.exec(source) ?? [];
  const names = list.split(",").map((name) => name.trim());
  // More may follow. These may not change.
  expect(names.slice(0, 11)).toEqual([
    "h",
    "settings",
    "views",
    "show",
    "sections",
    "clientUrl",
    "readJson",
    "fetchSummary",
    "clearSummaries",
    "fetchRatings",
    "pagedList",
  ]);
});
