import { expect, it } from "vitest";
import { importedFile } from "@/lib/test/imported-file";

it("finds the file of ours that an import means, and none of a package", () => {
  const from = "lib/words/whole.test.ts";
  for (const [specifier, file] of [
    ["@/lib/clock", "lib/clock.ts"],
    ["@/components/ui/button", "components/ui/button.tsx"],
    ["./rules", "lib/words/rules.ts"],
    ["../clock.ts", "lib/clock.ts"],
    ["../../app/layout", "app/layout.tsx"],
    ["./rooms", "lib/words/rooms.ts"],
    ["@/app/globals.css", null],
    ["@/lib/words", null],
    ["@/lib/nothing", null],
    ["vitest", null],
    ["node:path", null],
    ["#words", null],
  ] as const)
    expect([specifier, importedFile(from, specifier)]).toEqual([specifier, file]);
});
