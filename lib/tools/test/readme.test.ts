import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { slowTests } from "@/lib/tools/test/slow-tests-first";

/** Every documentation page in the repository. */
const pages = globSync(["*.md", ".github/*.md", "{app,docs,lib,prisma}/**/*.md"], { cwd: root });

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

describe("READMEs", () => {
  it("name every table", () => {
    const dictionary = read("prisma/README.md");
    const tables = [...read("prisma/schema.prisma").matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => `\`${table}\``);
    expect(tables.length).toBeGreaterThan(40);
    expect(tables.filter((table) => !dictionary.includes(table))).toEqual([]);
  });

  it("list only existing files as slow tests", () => {
    expect(slowTests.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it("name every module", () => {
    const readme = read("lib/README.md");
    const folders = ["lib", "lib/platform", "lib/tools"]
      .flatMap((folder) =>
        readdirSync(path.join(root, folder), { withFileTypes: true })
          .filter((entry) => entry.isDirectory() && readdirSync(path.join(root, folder, entry.name)).length > 0)
          .map(({ name }) => (folder === "lib" ? name : `${path.basename(folder)}/${name}`)),
      )
      .filter((name) => name !== "platform" && name !== "tools")
      .map((name) => `\`${name}\``);
    expect(folders.filter((room) => !readme.includes(room))).toEqual([]);
  });

  it.each(pages)("%s links to files and headings that exist", (page) => {
    const text = read(page).replace(/^```[\s\S]*?^```/gm, "");
    const deadLinks = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !target.includes("://"))
      .filter((target) => {
        const [file, heading] = target.split("#");
        const found = file ? path.join(path.dirname(page), file) : page;
        if (!existsSync(path.join(root, found))) return true;
        return heading !== undefined && !headingsOf(found).includes(heading);
      });
    expect(deadLinks).toEqual([]);
  });

  it.each(pages)("%s names files that exist", (page) => {
    const text = read(page).replace(/^```[\s\S]*?^```/gm, "");
    const named = [...text.matchAll(/`([\w@.()[\]/-]+\.(?:tsx?|mjs|md|sql|css|prisma|yaml))`/g)].map(
      ([, file = ""]) => file,
    );
    // A module's page names its own files, and lib/README.md those of its modules.
    const places = ["", "lib", "lib/platform", "lib/tools", path.dirname(page)];
    const missing = named
      .filter((file) => file.includes("/"))
      .filter((file) => !places.some((place) => existsSync(path.join(root, place, file))));
    expect(missing).toEqual([]);
  });
});

/** GitHub's ids of a page's headings. */
function headingsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
