import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { hashOf, isStamped, stamp } from "./stamp.mjs";

function folder() {
  const root = temporaryFolder("stamp");
  mkdirSync(path.join(root, "app/deep"), { recursive: true });
  writeFileSync(path.join(root, "app/page.ts"), "one");
  writeFileSync(path.join(root, "app/deep/page.test.ts"), "test");
  writeFileSync(path.join(root, "package.json"), "{}");
  return root;
}
const inputs = ["app", "package.json", "missing"];

test("the hash depends only on content, names and removals", () => {
  const root = folder();
  const before = hashOf(root, inputs);
  writeFileSync(path.join(root, "app/page.ts"), "one");
  writeFileSync(path.join(root, "elsewhere"), "x");
  expect(hashOf(root, inputs)).toBe(before);
  writeFileSync(path.join(root, "app/page.ts"), "two");
  expect(hashOf(root, inputs)).not.toBe(before);
  writeFileSync(path.join(root, "app/page.ts"), "one");
  writeFileSync(path.join(root, "app/more.ts"), "");
  expect(hashOf(root, inputs)).not.toBe(before);
  rmSync(path.join(root, "app/more.ts"));
  expect(hashOf(root, inputs)).toBe(before);
});

test("two files don't hash like one with the same content", () => {
  const [a, b] = [folder(), folder()];
  writeFileSync(path.join(a, "app/x"), "1");
  writeFileSync(path.join(a, "app/y"), "");
  writeFileSync(path.join(b, "app/x"), "");
  writeFileSync(path.join(b, "app/y"), "1");
  expect(hashOf(a, inputs)).not.toBe(hashOf(b, inputs));
});

test("files that are filtered out don't change the hash", () => {
  const root = folder();
  const isIncluded = (file: string) => !file.endsWith(".test.ts");
  const before = hashOf(root, inputs, isIncluded);
  writeFileSync(path.join(root, "app/deep/page.test.ts"), "changed");
  expect(hashOf(root, inputs, isIncluded)).toBe(before);
});

test("a step is stamped only with the hash it was done with", () => {
  const mark = path.join(folder(), "made/here/.mark");
  expect(isStamped(mark, "a")).toBe(false);
  stamp(mark, "a");
  expect(isStamped(mark, "a")).toBe(true);
  expect(isStamped(mark, "b")).toBe(false);
});
