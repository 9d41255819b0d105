import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript-5";
import { describe, expect, it } from "vitest";
import { resourceRoles } from "@/lib/integrations/commerce/read-fault";
import { CUT_SHORT } from "@/lib/integrations/note-run";
import { sayerOf } from "@/lib/platform/i18n/refusals";
import { sentence } from "@/lib/platform/i18n/rules";
import { importedFile } from "@/lib/tools/test/imported-file";

const german = sayerOf("de");
const french = sayerOf("fr");

describe("what the service says in English", () => {
  it("is said in the reader's language, with what it names and its numbers as they are written there", () => {
    expect(german("There is no such webhook.")).toBe("Diesen Webhook gibt es nicht mehr.");
    expect(german("must be at most 2000 characters long")).toBe("Es darf höchstens 2.000 Zeichen lang sein.");
    expect(french("must be at most 2000 characters long.")).toBe("Au plus 2\u202f000 caractères.");
    expect(german("must not remind after 7 days, within the quarantine of 21")).toBe(
      "7 Tage liegen innerhalb der Ruhezeit von 21 Tagen.",
    );
    expect(german("The user name anna is taken.")).toBe("Der Benutzername anna ist vergeben.");
    expect(sayerOf("sv")("The name shop.example was not found.")).toBe("Namnet shop.example hittades inte.");
  });

  it("is put together sentence by sentence, and quotes others as they spoke", () => {
    expect(
      german(
        "Delivery dates are reckoned from the day of the order, since shipments cannot be read. The shop failed on shipments (500). The shop says: “No such entity. Try {n} §1”",
      ),
    ).toBe(
      "Lieferdaten werden ab dem Tag der Bestellung gerechnet, weil der Versand nicht lesbar ist. Der Shop scheiterte an shipments (500). Der Shop sagt: „No such entity. Try {n} §1“",
    );
    expect(german("id = contactId, email = email. Without a column: name. There is no column foo, bar.")).toBe(
      "id = contactId, email = email. Ohne Spalte: name. Diese Spalte gibt es nicht: foo, bar.",
    );
    expect(
      german(
        "Table receipts has no column foo, which is set for it. The articles were not imported: The feed does not have 7 of the 8 products, so more than half would be deleted. Nothing was changed; confirm the deletions if that is right.",
      ),
    ).toBe(
      "Tabelle receipts hat keine Spalte foo, die für sie eingestellt ist. Die Artikel wurden nicht importiert: Im Feed fehlen 7 der 8 Produkte, also würde mehr als die Hälfte gelöscht. Nichts wurde geändert; bestätigen Sie die Löschungen, wenn das stimmt.",
    );
    expect(
      german(
        "The catalogue was not imported: The shop failed on products (500). The shop says: “No. Sorry.” The shop fails on orders 7, 8 (entity ids); they are left out and tried again for a week.",
      ),
    ).toContain("Der Shop scheiterte an products (500). Der Shop sagt: „No.");
    // What is not known ends a message as it is.
    expect(german("The share lets us in. Something nobody translated.")).toBe(
      "Die Freigabe lässt uns ein. Something nobody translated.",
    );
  });

  it("says what stands in its places, too", () => {
    expect(german("In the meantime a rule rejected it.")).toBe("Inzwischen abgelehnt durch: eine Regel.");
    expect(german("In the meantime anna accepted it.")).toBe("Inzwischen freigegeben durch: anna.");
    expect(german("cannot be filled in for a reminder: undefined filter: foo, line:1, col:2")).toBe(
      "Die Vorlage lässt sich nicht ausfüllen. Betroffen: eine Erinnerung. undefined filter: foo, line:1, col:2.",
    );
    expect(german("must lead to the review form: {{ review_url }}; it does not for one item (sv)")).toBe(
      "Die Vorlage muss zum Bewertungsformular führen: {{ review_url }}. Es fehlt hier: ein Artikel (sv).",
    );
    expect(german("endpoint: must be an address")).toBe("endpoint: Es muss eine Adresse sein.");
    expect(
      german(
        "The platform has a schema x of somebody else’s: it has no property rating; its comment is integer, not string. Choose another id here; the schema there is left alone.",
      ),
    ).toBe(
      "Die Plattform hat ein fremdes Schema x: es hat keine Eigenschaft rating; comment ist integer, nicht string. Wählen Sie hier eine andere Kennung; das Schema dort bleibt unangetastet.",
    );
  });

  it("names the place of a fault as people do, wherever it is told", () => {
    expect(german("items[0].id must not be empty")).toBe("Artikel (1), Kennung: Es darf nicht leer sein.");
    expect(french("order.customer.email must be an e-mail address.")).toBe(
      "Client, Adresse e-mail\u00a0: Il faut une adresse e-mail.",
    );
    expect(sayerOf("en")("items[2].delivery_date must be a date, YYYY-MM-DD; id must not be empty")).toBe(
      "Items (3), Delivery date: It must be a date, YYYY-MM-DD. Id: It must not be empty.",
    );
    // Of what nobody has named, the words that it is made of.
    expect(german("settings.odd_size must be something new")).toBe("Odd size: It must be something new.");
    // No places: sentences that begin with a small word, or with a host.
    expect(sayerOf("en")("shop.example leads to an internal network, which is not fetched.")).toBe(
      "shop.example leads to an internal network, which is not fetched.",
    );
    expect(german("email.example has no address.")).toBe("Zu email.example gibt es keine Adresse im Netz.");
    expect(german("nobody is there")).toBe("nobody is there.");
    expect(german("it has no number")).toBe("Ohne Nummer.");
    expect(
      french(
        "another order of the shop (entity 7) has the same number: choose entity_id as the order number, or one store for each client",
      ),
    ).toContain("(entity 7) a le même numéro");
  });

  it("is told in English where nobody has translated it, as a sentence", () => {
    expect(german("what nobody has translated")).toBe("what nobody has translated.");
    expect(german("must be something new")).toBe("It must be something new.");
    expect(sayerOf("en")("must be something new")).toBe("It must be something new.");
    expect(sayerOf("en")("Told whole.")).toBe("Told whole.");
    const long = `The shop failed on ${"x".repeat(5_000)} (500).`;
    for (const say of [german, sayerOf("en")]) expect(say(long)).toBe(long);
  });

  it("takes hostile texts as they are, in bounded time", () => {
    // Milliseconds each: what takes longer than a test has fails.
    const hostile = [
      ...["a = ".repeat(990), "The name ".repeat(440), ". ".repeat(1_990), "a; ".repeat(1_300)],
      ...[`its ${" is a, not b".repeat(325)}. c`, `x = its ${"its a is ".repeat(430)}, not c.`],
      ...["The articles were not imported: ".repeat(120), "The articles were not imported: a. ".repeat(110)],
      ...["items[0]; ".repeat(390), `a${"[0]".repeat(1_300)} must`, "a".repeat(60_000), "constructor", "{n}", "§"],
    ];
    for (const text of hostile) expect(german(text).length).toBeGreaterThan(0);
    expect(german("In the meantime {who} <b>§|$& accepted it.")).toBe("Inzwischen freigegeben durch: {who} <b>§|$&.");
  });
});

// Every message of the code behind the portal's pages is looked for: what a person meets there is said in every language.

const root = path.resolve(import.meta.dirname, "../../..");
/** Code that answers programs and other people, or only the operator's command. */
const aside =
  /^lib\/(?:tools|display|platform\/(?:env|jobs|i18n)|reviews\/(?:collect|submissions|votes|uploads)|invitations\/mail-events|forms\/verification)\b(?!\/google-feed)|^lib\/(?:platform\/http\/(?:body|idempotency-key|json)|api\/(?:answer-once|health|methods))|^lib\/accounts\/(?:sign-in\/(?:resolve-client|authenticate)|stores\/custom-answers|create-user)/;
/** Messages that only a program can cause, or that name no case a page of the portal can bring about. */
const forPrograms = [
  /Idempotency|NUL|client_id|url_key|API key/,
  /^must be (?:the (?:id of a delivery|number of a part|revision of an item|first word of an action|name of a function|kind that)|a date \(|a date or time)/,
  /^must name (?:each item|an item) once$/,
  /^(?:goes only with accepted: false|is told of items that are held back only|A reason needs a rejection\.)$/,
  /^is (?:not a setting|required to take back|not a question|answered twice)/,
  /^The day until which items are held back must be one to come\.$/,
  /^There is no file|(?:is not a file|cannot be opened|is no client id)\.$/,
  // of a role; all of these are looked for below
  /^The shop (?:does not accept these keys|refused the token|gave a token)/,
  /^integration\.(?:resumed|paused)$/,
  /^must be the client that the address names$/,
];

type Found = { file: string; messages: string[] };

/** The texts that an expression may be; what is not known before it runs is 7, or x. */
function textsOf(node: ts.Expression | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return textsOf(node.right);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return textsOf(node.body);
  if (!ts.isTemplateExpression(node)) return [];
  return node.templateSpans.reduce<string[]>(
    (heads, { expression, literal }) => {
      const known = textsOf(expression);
      const fills = known.length > 0 ? known : ["\0"];
      return heads.flatMap((head) => fills.map((fill) => `${head}${fill}${literal.text}`));
    },
    [node.head.text],
  );
}

const throwing = /^(?:AppError|StoreFault|ShareFault|Fault)$/;
const telling =
  /^(?:refuse|refused|refusal|unreadable|failed|passed|add|rewritten|end|(?:[\w.#]+\.)?(?:notes\.push|breakOff|giveUp))$/;
const members = /^(?:message|error|fault|faults|withdrawn|why)$/;
/** Words of mails, which are in the reader's language already. */
const mailed = /(?:-words|^lib\/integrations\/webhooks\/mail-disabled)\.ts$/;

function readFile(file: string): { imports: string[]; messages: string[] } {
  const parsed = ts.createSourceFile(file, readFileSync(path.join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
  const [imports, messages]: [string[], string[]] = [[], []];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const isType = ts.isImportDeclaration(node) && node.importClause?.isTypeOnly;
      if (!isType) imports.push((node.moduleSpecifier as ts.StringLiteral).text);
    }
    if (ts.isNewExpression(node) && throwing.test(node.expression.getText()))
      messages.push(...textsOf(node.arguments?.[1]));
    if (ts.isCallExpression(node) && telling.test(node.expression.getText()))
      messages.push(...(node.arguments as readonly ts.Expression[]).flatMap(textsOf));
    if (ts.isPropertyAssignment(node) && members.test(node.name.getText()) && !mailed.test(file))
      messages.push(...textsOf(node.initializer));
    if (ts.isReturnStatement(node))
      messages.push(
        ...textsOf(node.expression).filter((text) => /^(?:must|is|has|takes|cannot|[A-Z].*\.$)/.test(text)),
      );
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  // A name is no message, nor is a code.
  return {
    imports,
    messages: messages.filter((text) => / /.test(text) && /\w/.test(text.replaceAll("\0", ""))),
  };
}

/** What works in the background and has what it met stand on a page. */
const reporting = ["lib/integrations/syncs.ts", "lib/integrations/webhooks/deliver-due.ts"];

function behindThePortal(): Found[] {
  const routes = readdirSync(path.join(root, "app/portal/api"), {
    recursive: true,
    encoding: "utf8",
  })
    .filter((name) => name.endsWith("route.ts"))
    .map((name) => path.posix.join("app/portal/api", name));
  const found = new Map<string, Found>();
  const walk = (file: string) => {
    if (found.has(file) || aside.test(file)) return;
    const { imports, messages } = readFile(file);
    found.set(file, { file, messages });
    for (const name of imports) {
      const next = importedFile(file, name);
      if (next?.endsWith(".ts")) walk(next);
    }
  };
  for (const route of [...routes, ...reporting]) walk(route);
  return [...found.values()];
}

const isSaid = (message: string): boolean => german(message) !== sentence(message);
/** What may stand in the places of a message, as the code fills them. */
const fills = [
  "7",
  "x",
  "",
  "1",
  "review",
  "text",
  "requests",
  "an image",
  "invitation.handed",
  "wants to be asked less often",
];
/** A message as it may read. What follows its last sentence is another one, which is looked for by itself. */
function filled(message: string): string[] {
  const own = message.replace(/\.\0+$/, ".");
  if (!own.includes("\0")) return [own];
  return fills.flatMap((first) => fills.map((rest) => own.replace("\0", first).replaceAll("\0", rest)));
}

it("is said in every language wherever a page of the portal can bring it about", () => {
  const all = behindThePortal();
  expect(all.length).toBeGreaterThan(200);
  const unsaid = all.flatMap(({ file, messages }) =>
    messages
      .filter((message) => !forPrograms.some((pattern) => pattern.test(message)) && !filled(message).some(isSaid))
      .map((message) => `${file}: ${message.replaceAll("\0", "…")}`),
  );
  expect([...new Set(unsaid)]).toEqual([]);
  const elsewhere = [
    CUT_SHORT,
    "Nothing is left to ask the customer for.",
    "The tenant has no contact attribute a, b: make them under Configure Engage, Contact attributes. Until then the platform drops what is told.",
  ];
  for (const message of elsewhere) expect(isSaid(message)).toBe(true);
  for (const [resource, permission] of Object.entries(resourceRoles))
    for (const message of [
      `The shop does not accept these keys: check that the integration is active and its keys are complete; its role must be allowed to read ${resource} (${permission}).`,
      `The shop refused the token. The reasons look alike: the token is wrong; integration tokens are not allowed as bearer tokens (since 2.4.4 only with oauth/consumer/enable_integration_as_bearer set to 1; OAuth 1.0a works without); or its role must be allowed to read ${resource} (${permission}).`,
      `The shop gave a token for this user and does not let it read ${resource}: its role must be allowed to read ${resource} (${permission}).`,
    ])
      expect(isSaid(message)).toBe(true);
});
