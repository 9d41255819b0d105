import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { check, type Parameters } from "recheck";
import ts from "typescript-5";

const root = path.resolve(import.meta.dirname, "../../..");
const sources = ["app", "components", "inngest", "lib"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => path.join(folder, file))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/generated\/|^lib\/tools\/(?:test|bench|fakes)\//.test(file)),
);

export type RegexUse = { source: string; flags: string; places: string[] };

/** The regexes of the service, and the files with some that are built at run time. */
export function collectRegexes(): { patterns: RegexUse[]; unresolvedFiles: string[] } {
  const patterns = new Map<string, RegexUse>();
  const unread = new Set<string>();
  for (const file of sources) {
    const tree = ts.createSourceFile(file, readFileSync(path.join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
    const constants = new Map<string, ts.Expression>();
    const add = (node: ts.Node, source: string, flags: string) => {
      const known = patterns.get(`/${source}/${flags}`) ?? { source, flags, places: [] };
      known.places.push(`${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
      patterns.set(`/${source}/${flags}`, known);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
        constants.set(node.name.text, node.initializer);
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        add(node, node.text.slice(1, end), node.text.slice(end + 1));
      } else if (ts.isNewExpression(node) && node.expression.getText() === "RegExp") {
        const [source, flags = ""] = (node.arguments ?? []).map((argument) => textOf(argument, constants));
        if (typeof source === "string" && flags !== null) add(node, source, flags);
        else unread.add(file);
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return { patterns: [...patterns.values()], unresolvedFiles: [...unread].sort() };
}

/** The text of a constant expression; null for any other. */
function textOf(node: ts.Expression, constants: Map<string, ts.Expression>): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const named = constants.get(node.text);
    return named && named !== node ? textOf(named, constants) : null;
  }
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "String.raw")
    return templateText(node.template, constants, true);
  return ts.isTemplateExpression(node) ? templateText(node, constants, false) : null;
}

function templateText(node: ts.TemplateLiteral, constants: Map<string, ts.Expression>, raw: boolean): string | null {
  const own = (part: ts.TemplateLiteralLikeNode) => (raw ? (part.rawText ?? part.text) : part.text);
  if (ts.isNoSubstitutionTemplateLiteral(node)) return own(node);
  let text = own(node.head);
  for (const { expression, literal } of node.templateSpans) {
    const filled = textOf(expression, constants);
    if (filled === null) return null;
    text += filled + own(literal);
  }
  return text;
}

/** Those whose recheck status is unwanted, with their locations. */
export async function regexesWithStatus(
  isUnwanted: (status: "safe" | "vulnerable" | "unknown") => boolean,
  patterns: RegexUse[],
  options: Parameters,
): Promise<string[]> {
  const found: string[] = [];
  for (const { source, flags, places } of patterns) {
    const { status } = await check(source, flags, options);
    if (isUnwanted(status)) found.push(`${places.join(" ")}: /${source}/${flags} is ${status}`);
  }
  return found;
}
