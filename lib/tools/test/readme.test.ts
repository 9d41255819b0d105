import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { longest } from "@/lib/tools/test/longest-first";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

describe("the pages that tell what is where", () => {
  it("name every table", () => {
    const dictionary = read("prisma/README.md");
    const tables = [...read("prisma/schema.prisma").matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => `\`${table}\``);
    expect(tables.length).toBeGreaterThan(40);
    expect(tables.filter((table) => !dictionary.includes(table))).toEqual([]);
  });

  it("name no file of tests as long that is gone", () => {
    expect(longest.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it("name every room", () => {
    const told = read("lib/README.md");
    const rooms = ["lib", "lib/platform", "lib/tools"]
      .flatMap((folder) =>
        readdirSync(path.join(root, folder), { withFileTypes: true })
          .filter((entry) => entry.isDirectory() && readdirSync(path.join(root, folder, entry.name)).length > 0)
          .map(({ name }) => (folder === "lib" ? name : `${path.basename(folder)}/${name}`)),
      )
      .filter((name) => name !== "platform" && name !== "tools")
      .map((name) => `\`${name}\``);
    expect(rooms.filter((room) => !told.includes(room))).toEqual([]);
  });
});
