import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript-5";
import { describe, expect, it } from "vitest";
import { roleWords, scopeWords, stateWords } from "@/components/accounts/words";
import {
  feedStates,
  stateWords as importStates,
  importWords,
  kindWords,
  scheduleWords,
  shares,
} from "@/components/feeds/words";
import { formIn, forms, type IntegrationForm } from "@/components/integrations/forms";
import { deliveryStates as webhookDeliveries } from "@/components/integrations/webhooks/delivery-words";
import { eventGroups, stateWords as webhookStates } from "@/components/integrations/webhooks/words";
import {
  firstWords,
  outcomeWords,
  runWords,
  stateWords as systemStates,
  untoldWords,
} from "@/components/integrations/words";
import { reasonWords as heldWords } from "@/components/invitations/words";
import { ruleHints } from "@/components/moderation/findings";
import { reasonHints } from "@/components/moderation/reason-choice";
import { reasons } from "@/components/moderation/reasons";
import { kindTitles, sourceWords, statusWords } from "@/components/moderation/words";
import { jobNames } from "@/components/operator/jobs/words";
import { spans } from "@/components/orders/hold-menu";
import { sections } from "@/components/portal/sections";
import { settingsPages } from "@/components/portal/settings-pages";
import { mailKinds } from "@/components/settings/mail-preview";
import { answerTypes } from "@/components/settings/questions-editor";
import { choicesOf, explained, more } from "@/components/settings/rule-words";
import { widgetParts } from "@/components/settings/widget-preview";
import { kinds } from "@/lib/integrations/kinds";
import { mailWords, reminderWords } from "@/lib/invitations/explain-words";
import { systemViews } from "@/lib/moderation/queue/rules";
import { ruleNames, ruleTitles } from "@/lib/moderation/rules/values";
import { dictionaryOf, type RoomName } from "@/lib/platform/i18n/rooms";
import { english } from "@/lib/platform/i18n/rules";
import { repairText } from "@/lib/platform/parsing/report";
import { importedFile } from "@/lib/tools/test/imported-file";

// Which parts of the portal speak every language, and that they stay so: every file that a part is made of is looked
// through, for texts that are said to nobody's dictionary and for texts that are not said by `t` at all.

const root = path.resolve(import.meta.dirname, "../../..");
const portal = "app/portal/(member)";

type Part = {
  /** folders and files under `app/portal` where the part begins */
  from: string[];
  /** what its layouts hand to the browser */
  handed: RoomName[];
  /** files that its pages name and only another part's show */
  apart?: string[];
  /** texts that stand in tables and are said from there */
  tables?: string[];
  /** those that are said on the server alone */
  onServer?: string[];
};

const [questionsEditor, rulesEditor] = [
  "components/settings/questions-editor.tsx",
  "components/settings/rules-editor.tsx",
];
const ruleMembers = ruleNames.flatMap((rule) => [
  ...choicesOf(rule).map(({ label }) => label),
  ...(more[rule] ?? []).flatMap(({ label, hint }) => [label, ...(hint ? [hint] : [])]),
]);

/** All that a form of a connection says. */
function saidOf(form: IntegrationForm): string[] {
  const all: string[] = [];
  formIn(
    form,
    Object.assign((text: string) => all.push(text) && text, english),
  );
  return all;
}

/** What the tests of connections look at. */
const checkNames = [
  ...["Credentials", "Log-in", "Orders", "Filters", "Shipments", "Products"],
  ...["Connection", "Interaction schema"],
  ...["Profile", "Tables", "Stores", "Articles", "Contacts", "Receipts", "Receipt items"],
];

/** The parts that are whole. A part that is translated to its end is added here. */
const whole: Record<string, Part> = {
  door: {
    from: ["app/portal/sign-in", "app/portal/forgot", "app/portal/password"],
    handed: ["common"],
  },
  chrome: {
    from: [`${portal}/layout.tsx`, `${portal}/error.tsx`, `${portal}/not-found.tsx`],
    handed: ["common", "chrome"],
    tables: [...sections, ...settingsPages].map(({ name }) => name),
  },
  home: { from: [`${portal}/page.tsx`], handed: ["common", "chrome", "home"] },
  queue: {
    from: ["queue", "reviews", "seller_reviews", "questions"].map((page) => `${portal}/${page}`),
    handed: ["common", "chrome", "queue", "judging", "sent"],
    tables: [
      ...reasons.map(({ label }) => label),
      ...Object.values(reasonHints),
      ...Object.values(statusWords),
      ...Object.values(sourceWords),
      ...Object.values(kindTitles),
      ...Object.values(ruleTitles),
      ...Object.values(ruleHints),
      ...systemViews.map(({ name }) => name),
    ],
  },
  settings: {
    from: ["page.tsx", "layout.tsx", "_page.tsx", "forms", "sending"].map((page) => `${portal}/settings/${page}`),
    handed: ["common", "chrome", "settings"],
    apart: [questionsEditor, rulesEditor],
  },
  invitations: {
    from: [`${portal}/invitations`],
    handed: ["common", "chrome"],
  },
  rehearsal: {
    from: [`${portal}/settings/invitations`],
    handed: ["common", "chrome", "settings"],
    onServer: Object.values(heldWords),
  },
  "own questions": {
    from: [`${portal}/settings/questions`],
    handed: ["common", "chrome", "settings", "ownQuestions"],
    apart: [rulesEditor],
    tables: answerTypes.flatMap(({ label, hint }) => [label, hint]),
  },
  "moderation rules": {
    from: [`${portal}/settings/moderation`],
    handed: ["common", "chrome", "settings", "moderationRules", "judging"],
    apart: [questionsEditor],
    tables: [...Object.values(ruleTitles), ...Object.values(explained), ...ruleMembers],
  },
  widget: {
    from: [`${portal}/settings/display`],
    handed: ["common", "chrome", "settings", "widget"],
    apart: [questionsEditor, rulesEditor],
    tables: widgetParts.map(({ label }) => label),
  },
  templates: {
    from: [`${portal}/settings/templates`],
    handed: ["common", "chrome", "settings", "templates", "mail"],
    apart: [questionsEditor, rulesEditor],
    tables: mailKinds.map(({ label }) => label),
  },
  orders: {
    from: [`${portal}/orders`, "lib/invitations/sentences.ts", "lib/invitations/explain-order.ts"],
    handed: ["common", "chrome", "orders"],
    tables: [
      ...spans.map(([name]) => name),
      ...Object.values(mailWords),
      ...Object.values(reminderWords),
      ...Object.values(statusWords),
    ],
  },
  products: {
    from: [`${portal}/products`],
    handed: ["common", "chrome", "products", "importReports"],
    tables: ["All", "In the feed", "Left the feed"],
  },
  analytics: { from: [`${portal}/analytics`], handed: ["common", "chrome"] },
  people: {
    from: [`${portal}/settings/people`],
    handed: ["common", "chrome", "access", "people"],
    tables: [
      ...Object.values(roleWords).flatMap(({ name, what }) => [name, what]),
      ...Object.values(stateWords).map(({ name }) => name),
    ],
  },
  keys: {
    from: [`${portal}/settings/keys`],
    handed: ["common", "chrome", "access", "keys"],
    tables: Object.values(scopeWords).flatMap(({ name, what }) => [name, what]),
  },
  "own account": { from: [`${portal}/account`], handed: ["common", "chrome", "own"] },
  accounts: { from: [`${portal}/accounts`], handed: ["common", "chrome", "accounts"] },
  integrations: {
    from: [`${portal}/integrations`],
    handed: ["common", "chrome", "sent", "integrations", "webhooks"],
    tables: [
      ...eventGroups.flatMap(({ name, within, events }) => [name, within, ...Object.values(events)]),
      ...[webhookStates, webhookDeliveries, systemStates, firstWords, outcomeWords, runWords].flatMap((each) =>
        Object.values(each).map(({ word }) => word),
      ),
      ...Object.values(untoldWords),
      ...checkNames,
    ],
    onServer: [...Object.values(forms).flatMap(saidOf), ...Object.values(kinds).map(({ name }) => name)],
  },
  feeds: {
    from: [`${portal}/feeds`],
    handed: ["common", "chrome", "feeds"],
    tables: [
      ...[...Object.values(kindWords), ...Object.values(importWords), ...Object.values(scheduleWords)],
      ...[...Object.values(importStates), ...Object.values(feedStates)].map(({ word }) => word),
      ...shares({ created: 1, updated: 1, unchanged: 1, rejected: 1 }).map(({ name }) => name),
    ],
    onServer: Object.values(repairText),
  },
  failures: {
    from: [`${portal}/failures`],
    handed: ["common", "chrome", "feeds"],
    onServer: Object.values(jobNames),
  },
  audit: { from: [`${portal}/audit`], handed: ["common", "chrome"] },
  operation: {
    from: [`${portal}/jobs`, `${portal}/mailbox`],
    handed: ["common", "chrome", "operation", "mail"],
    tables: ["All", "Failed"],
  },
  privacy: {
    from: [`${portal}/privacy`],
    handed: ["common", "chrome", "privacy"],
    tables: ["E-mail address", "Customer id", "The shop's id of the customer"],
  },
};

/** Names, and what is written alike everywhere. */
const alike =
  /^(?:Candor|SKU|API|GTIN|CSV|Esc|Ctrl ⏎|HTML|Liquid|\S+@shop\.example|PRODUCT-ID|npm run .*|https?:.*|shop\.example|POST \/.*|[A-Z/?]|⇧ X)$/;

const sources = (where: string): string[] =>
  /\.tsx?$/.test(where)
    ? [where]
    : readdirSync(path.join(root, where), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
        .map((name) => path.posix.join(where, name));

type File = {
  imports: string[];
  isClient: boolean;
  said: string[];
  unsaid: string[];
};
const read = new Map<string, File>();
function fileOf(name: string): File {
  const known = read.get(name);
  if (known) return known;
  const text = readFileSync(path.join(root, name), "utf8");
  const parsed = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const file: File = { imports: [], isClient: /^\s*"use client"/.test(text), said: [], unsaid: [] };
  read.set(name, file);
  const literals = (node: ts.Node): string[] => {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue), ...literals(node.whenFalse)];
    return ts.isParenthesizedExpression(node) ? literals(node.expression) : [];
  };
  /** Texts of a table whose values are said: `const x: Record<…, string> = { … }` beside a `t(x[…])`. */
  const tables = new Map<string, ts.Expression>();
  const inTable = (node: ts.Node): string[] =>
    ts.isStringLiteralLike(node)
      ? [node.text]
      : ts.isObjectLiteralExpression(node)
        ? node.properties.flatMap((each) => (ts.isPropertyAssignment(each) ? inTable(each.initializer) : []))
        : ts.isArrayLiteralExpression(node)
          ? node.elements.flatMap(inTable)
          : [];
  const tableOf = (node: ts.Expression): string | null =>
    ts.isElementAccessExpression(node) || ts.isPropertyAccessExpression(node)
      ? tableOf(node.expression)
      : ts.isBinaryExpression(node)
        ? tableOf(node.left)
        : ts.isIdentifier(node)
          ? node.text
          : null;
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const isType = ts.isImportDeclaration(node) && node.importClause?.isTypeOnly;
      if (!isType) file.imports.push((node.moduleSpecifier as ts.StringLiteral).text);
    }
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      if (first && node.expression.kind === ts.SyntaxKind.ImportKeyword) file.imports.push(...literals(first));
      if (first && /^(?:t|t\.rich|titled|\(await words\(\)\))$/.test(node.expression.getText())) {
        file.said.push(...literals(first));
        const table = ts.isStringLiteralLike(first) ? null : tableOf(first);
        const held = table === null ? undefined : tables.get(table);
        if (held) file.said.push(...inTable(held));
      }
    }
    if (ts.isJsxText(node) && /\p{L}{2}/u.test(node.text) && !alike.test(node.text.trim()))
      file.unsaid.push(node.text.trim());
    if (
      ts.isJsxAttribute(node) &&
      /^(?:title|label|placeholder|aria-label|hint|description|alt|about|caption)$/.test(node.name.getText()) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer) &&
      /\p{L}{2}/u.test(node.initializer.text) &&
      !alike.test(node.initializer.text)
    )
      file.unsaid.push(node.initializer.text);
    ts.forEachChild(node, visit);
  };
  for (const statement of parsed.statements)
    if (ts.isVariableStatement(statement))
      for (const { name: known, initializer } of statement.declarationList.declarations)
        if (initializer) tables.set(known.getText(), initializer);
  visit(parsed);
  return file;
}

/** The file of ours that an import means; null for packages and for what says nothing to anybody. */
function speaking(from: string, specifier: string): string | null {
  const name = importedFile(from, specifier);
  const speaks = name && /^(?:app\/portal|components)\//.test(name);
  return speaks && !/^components\/(?:collect|words)\//.test(name) ? name : null;
}

/** Everything a part is made of, with whether it is drawn in the browser. */
function madeOf({ from, apart = [] }: Part): Map<string, boolean> {
  const found = new Map<string, boolean>();
  const walk = (name: string, inBrowser: boolean) => {
    const file = fileOf(name);
    const here = inBrowser || file.isClient;
    if (found.get(name) === true || found.get(name) === here) return;
    found.set(name, here);
    for (const specifier of file.imports) {
      const next = speaking(name, specifier);
      if (next && !apart.includes(next)) walk(next, here);
    }
  };
  for (const name of from.flatMap(sources)) walk(name, false);
  return found;
}

describe.each(Object.entries(whole))("the portal’s %s", (_, part) => {
  const files = madeOf(part);
  it("is found", () => expect(files.size).toBeGreaterThan(2));

  it("says nothing that is not said in every language", () => {
    const [known, handed] = [dictionaryOf("de"), dictionaryOf("de", part.handed)];
    const missing = [...files].flatMap(([name, inBrowser]) =>
      fileOf(name)
        .said.filter(
          (text) => /\p{L}{2}/u.test(text) && !alike.test(text) && !Object.hasOwn(inBrowser ? handed : known, text),
        )
        .map((text) => `${name}: ${text}`),
    );
    const tables = (part.tables ?? []).filter((text) => !alike.test(text) && !Object.hasOwn(handed, text));
    const onServer = (part.onServer ?? []).filter((text) => !alike.test(text) && !Object.hasOwn(known, text));
    expect([...missing, ...tables, ...onServer]).toEqual([]);
  });

  it("has no text that is English to everybody", () => {
    const unsaid = [...files.keys()].flatMap((name) => fileOf(name).unsaid.map((text) => `${name}: ${text}`));
    expect(unsaid).toEqual([]);
  });
});
