import { expect, it } from "vitest";
import { importedFile } from "@/lib/tools/test/imported-file";

it("finds the file of ours that an import means, and none of a package", () => {
  const from = "lib/platform/i18n/whole.test.ts";
  for (const [specifier, file] of [
    ["@/lib/platform/clock", "lib/platform/clock.ts"],
    ["@/components/ui/button", "components/ui/button.tsx"],
    ["./rules", "lib/platform/i18n/rules.ts"],
    ["../clock.ts", "lib/platform/clock.ts"],
    ["../../../app/layout", "app/layout.tsx"],
    ["./rooms", "lib/platform/i18n/rooms.ts"],
    ["@/app/globals.css", null],
    ["@/lib/platform/i18n", null],
    ["@/lib/nothing", null],
    ["vitest", null],
    ["node:path", null],
    ["#words", null],
  ] as const)
    expect([specifier, importedFile(from, specifier)]).toEqual([specifier, file]);
});
