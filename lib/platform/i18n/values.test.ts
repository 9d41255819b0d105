import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript-5";
import { expect, it } from "vitest";
import { allMessages } from "@/lib/platform/i18n/messages";
import { messageParams } from "@/lib/tools/test/message-params";

const root = path.resolve(import.meta.dirname, "../../..");

const messages = new Map<string, string>(
  Object.values(allMessages.en).flatMap((file) =>
    Object.entries(file).flatMap(([name, group]) =>
      Object.entries(group as Record<string, string>).map(([key, message]) => [`${name}.${key}`, message] as const),
    ),
  ),
);

/** Possible keys of an argument: a literal, or both branches of a condition. */
const keysIn = (node: ts.Expression): string[] => {
  if (ts.isStringLiteralLike(node)) return messages.has(node.text) ? [node.text] : [];
  if (ts.isConditionalExpression(node)) return [...keysIn(node.whenTrue), ...keysIn(node.whenFalse)];
  return ts.isParenthesizedExpression(node) ? keysIn(node.expression) : [];
};

it("gives each message the values it needs", () => {
  const missing: string[] = [];
  let calls = 0;
  for (const name of ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|generated/.test(file))
      .map((file) => path.posix.join(folder, file)),
  )) {
    const source = ts.createSourceFile(
      name,
      readFileSync(path.join(root, name), "utf8"),
      ts.ScriptTarget.Latest,
      true,
      ts.ScriptKind.TSX,
    );
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node)) return;
      const [first, values] = node.arguments;
      const keys = first ? keysIn(first) : [];
      // Spread or forwarded values can't be checked here.
      if (keys.length === 0 || !/(?:^|\.)(?:t|rich|translate|text)$/.test(node.expression.getText())) return;
      if (values && !ts.isObjectLiteralExpression(values)) return;
      if (values?.properties.some(ts.isSpreadAssignment)) return;
      calls += 1;
      const given = (values?.properties ?? []).map((each) => each.name?.getText() ?? "");
      for (const key of keys)
        for (const param of messageParams(messages.get(key) ?? ""))
          if (!given.includes(param)) missing.push(`${name}: ${key} needs ${param}`);
    };
    visit(source);
  }
  expect(missing).toEqual([]);
  expect(calls).toBeGreaterThan(1_000);
});
