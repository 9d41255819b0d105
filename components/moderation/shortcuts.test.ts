import { expect, test } from "vitest";
import { shortcuts } from "./shortcuts";

test("no two shortcuts share a key, and a key that starts a pair does nothing by itself", () => {
  const keys = Object.values(shortcuts).flatMap((shortcut) => shortcut.keys);
  expect(new Set(keys).size).toBe(keys.length);
  const starts = keys.filter((key) => key.includes(" ")).map((pair) => pair.split(" ")[0]);
  expect(keys.filter((key) => starts.includes(key))).toEqual([]);
});
