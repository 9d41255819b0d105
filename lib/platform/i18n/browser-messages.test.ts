import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript-5";
import { expect, it } from "vitest";
import portal from "@/lib/platform/i18n/messages/en/portal.json";

// The browser gets only the namespaces that a page and its layouts name. A component that needs another namespace would
// show its keys.

const root = path.resolve(import.meta.dirname, "../../..");
const namespaces = Object.keys(portal);

type File = { imports: string[]; isClient: boolean; used: string[]; given: string[] };
const files = new Map<string, File>();

function read(name: string): File {
  const known = files.get(name);
  if (known) return known;
  const text = readFileSync(path.join(root, name), "utf8");
  const file: File = { imports: [], isClient: /^\s*"use client"/.test(text), used: [], given: [] };
  files.set(name, file);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      if (!node.importClause?.isTypeOnly) file.imports.push((node.moduleSpecifier as ts.StringLiteral).text);
      return;
    }
    if (ts.isCallExpression(node)) {
      const strings = node.arguments.filter(ts.isStringLiteral).map((each) => each.text);
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) file.imports.push(...strings);
      if (/^(?:withMessages|messagesFor)$/.test(node.expression.getText())) file.given.push(...strings);
    }
    if (ts.isStringLiteralLike(node)) {
      const namespace = /^(\w+)\.\w+$/.exec(node.text)?.[1];
      if (
        namespace &&
        namespaces.includes(namespace) &&
        (node.text.split(".")[1] as string) in portal[namespace as keyof typeof portal]
      )
        file.used.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return file;
}

function fileOf(from: string, specifier: string): string | null {
  const bare = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? path.posix.join(path.posix.dirname(from), specifier)
      : null;
  if (bare === null) return null;
  return (
    [bare, `${bare}.ts`, `${bare}.tsx`].find((name) => /\.tsx?$/.test(name) && existsSync(path.join(root, name))) ??
    null
  );
}

/** Message keys used in the browser by code reachable from a page, each with its file. */
function usedInBrowser(from: string[]): Map<string, string> {
  const seen = new Map<string, boolean>();
  const used = new Map<string, string>();
  const walk = (name: string, inBrowser: boolean): void => {
    const file = read(name);
    const here = inBrowser || file.isClient;
    if (seen.get(name) === true || seen.get(name) === here) return;
    seen.set(name, here);
    if (here) for (const key of file.used) used.set(key, name);
    for (const specifier of file.imports) {
      const next = fileOf(name, specifier);
      // Server actions run on the server, even if a client component imports them.
      if (next && !next.endsWith("_actions.ts")) walk(next, here);
    }
  };
  for (const name of from) walk(name, false);
  return used;
}

const pages = readdirSync(path.join(root, "app/portal"), { recursive: true, encoding: "utf8" })
  .filter((name) => /(?:^|\/)page\.tsx$/.test(name))
  .map((name) => path.posix.join("app/portal", name));

it.each(pages)("%s gives its components the messages they show", (page) => {
  const layouts: string[] = [];
  for (let folder = path.posix.dirname(page); folder !== "."; folder = path.posix.dirname(folder))
    for (const name of ["layout.tsx", "error.tsx", "not-found.tsx"])
      if (existsSync(path.join(root, folder, name))) layouts.push(path.posix.join(folder, name));
  const given = new Set([page, ...layouts].flatMap((name) => read(name).given));
  const missing = [...usedInBrowser([page, ...layouts])].filter(([key]) => !given.has(key.split(".")[0] ?? ""));
  expect(missing.map(([key, file]) => `${file}: ${key}`)).toEqual([]);
});
