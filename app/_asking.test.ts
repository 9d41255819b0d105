import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript-5";
import { describe, expect, it } from "vitest";
import { importedFile } from "@/lib/tools/test/imported-file";

// What asks the service needs Queries around it; a page where nothing does should not bring it along. A page that lacks it
// would fail only once somebody opens it, so the imports are looked through.

const root = path.resolve(import.meta.dirname, "..");
const portal = "app/portal/(member)";
const QUERIES = "components/portal/queries.tsx";

type File = { imports: string[]; late: string[]; asks: boolean };
const read = new Map<string, File>();

function fileOf(name: string): File {
  const known = read.get(name);
  if (known) return known;
  const file: File = { imports: [], late: [], asks: false };
  read.set(name, file);
  const parsed = ts.createSourceFile(name, readFileSync(path.join(root, name), "utf8"), ts.ScriptTarget.Latest, true);
  const add = (to: string[], specifier: ts.Expression) => {
    const found = ts.isStringLiteral(specifier) ? importedFile(name, specifier.text) : null;
    if (found) to.push(found);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) {
      add(file.imports, node.moduleSpecifier);
      // Options and keys are plain values; a hook looks for what it is within.
      file.asks ||= /\{[^}]*\buse[A-Z].*\} from "@tanstack\/react-query"/s.test(node.getText());
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && !node.isTypeOnly)
      add(file.imports, node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0])
      add(file.late, node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return file;
}

/** All that files are made of; `whole` with the parts that come late. */
function madeOf(from: readonly string[], whole: boolean): string[] {
  const found = new Set(from);
  for (const name of found) {
    const { imports, late } = fileOf(name);
    for (const next of whole ? [...imports, ...late] : imports) found.add(next);
  }
  return [...found];
}

const asking = (files: readonly string[]) => files.filter((name) => fileOf(name).asks);
const layoutsOf = (folder: string): string[] => {
  const layout = path.posix.join(folder, "layout.tsx");
  const above = folder === portal ? [] : layoutsOf(path.posix.dirname(folder));
  return ts.sys.fileExists(path.join(root, layout)) ? [...above, layout] : above;
};

const pages = readdirSync(path.join(root, portal), { recursive: true, encoding: "utf8" })
  .filter((name) => path.basename(name) === "page.tsx")
  .map((name) => path.posix.join(portal, name));

describe("what asks the service", () => {
  it("has what it needs around it, at once or with the part that it comes with", () => {
    const without = [false, true].flatMap((whole) =>
      pages.filter((page) => {
        const files = madeOf([...layoutsOf(path.posix.dirname(page)), page], whole);
        return asking(files).length > 0 && !files.includes(QUERIES);
      }),
    );
    expect(without).toEqual([]);
  });

  it("is all that brings it along", () => {
    const bringing = pages.filter((page) =>
      madeOf([...layoutsOf(path.posix.dirname(page)), page], false).includes(QUERIES),
    );
    expect(bringing.filter((page) => asking(madeOf([page], false)).length === 0)).toEqual([]);
    expect(bringing).toContain(`${portal}/queue/page.tsx`);
    for (const page of ["", "orders/", "products/[id]/", "analytics/", "invitations/", "audit/", "mailbox/"])
      expect(bringing).not.toContain(`${portal}/${page}page.tsx`);
  });

  it("is not in what stands around every page, nor in its windows, menus and messages", () => {
    const around = ["layout", "error", "not-found"].map((name) => `${portal}/${name}.tsx`);
    expect(around.map((name) => asking(madeOf([name], true)))).toEqual([[], [], []]);
    expect(madeOf(around, true)).not.toContain(QUERIES);
    expect(madeOf(around, true)).toContain("components/ui/dialog-window.tsx");
  });
});
