import type { Markup } from "./find-markup";
import { blockingDirectives } from "./page-policy";

/** One thing on a page, and whether it works once the old service's host is replaced by Candor's. */
export type MigrationFinding = {
  /** line of the page's HTML; null for the page as a whole and its headers */
  line: number | null;
  found: string;
  works: boolean;
  note: string;
};

/** What a store's settings decide. */
export type MovedStore = {
  collect_questions: boolean;
  collect_seller_reviews: boolean;
  allowed_origins: string[];
  /** the settings without a column, with `widget_host` */
  config: { widget_host?: unknown };
};

export type MigrationContext = {
  pageUrl: string;
  /** Content-Security-Policy headers of the page */
  policies: string[];
  /** stores here by id; null if there is none */
  stores: ReadonlyMap<string, MovedStore | null>;
  /** the only store that the page should have, if it was named */
  clientId: string | undefined;
  /** origin that replaces the old one */
  origin: string;
  /** origin of this installation: the widget loads from it whatever `origin` is */
  ownOrigin: string;
};

const PARTS: Record<string, string> = {
  badge: "the badge",
  reviews: "the reviews",
  qa: "the questions",
  seller: "the seller reviews",
};

const SELLER_MODES = ["badge", "content", "sidebar"];

/** Commands of the queue that Candor's script runs, and those that it accepts without effect. */
const COMMANDS = [
  "setProductId",
  "setFamilyId",
  "load",
  "reset",
  "onBadgeClick",
  "setOptions",
  "setAggregateRatingSchema",
];
const COMMANDS_WITHOUT_EFFECT = [
  "setApiHost",
  "setMaxWidthSmall",
  "setMaxWidthMedium",
  "setTranslationLang",
  "setAnalytics",
];

const LOADED = ["badge", "reviews", "qa", "seller", "items"];

/** Explains line by line what of a page works after the host is changed, and what doesn't. */
export function explainMigration(markups: Markup[], context: MigrationContext): MigrationFinding[] {
  const own = markups.filter(({ kind }) => kind !== "policy");
  if (own.length === 0)
    return [
      {
        line: null,
        found: "page",
        works: false,
        note: "The HTML has nothing of the old service. What scripts or a tag manager add isn't checked: look for it in their code.",
      },
    ];
  const needsScript = own.some(({ kind }) => kind === "place" || kind === "item" || kind === "command");
  const hasScript = own.some(({ kind }) => kind === "script");
  return [
    ...policyFindings(markups, context),
    ...(needsScript && !hasScript
      ? [
          {
            line: null,
            found: "page",
            works: false,
            note: "The HTML doesn't have the old service's script. If a tag manager adds it, change the host there.",
          },
        ]
      : []),
    ...own.flatMap((markup) => {
      const finding = explain(markup, context);
      return finding ? [{ line: markup.line, ...finding }] : [];
    }),
  ];
}

type Explained = Omit<MigrationFinding, "line">;

function explain(markup: Markup, context: MigrationContext): Explained | null {
  const problem = (found: string, note: string): Explained => ({ found, works: false, note });
  const fine = (found: string, note: string): Explained => ({ found, works: true, note });
  switch (markup.kind) {
    case "script": {
      const found = `script ${markup.address}`;
      const issue = storeIssue(markup.clientId, context) ?? originIssue(markup.clientId, context);
      return issue ? problem(found, issue) : fine(found, hostNote(markup.host, context));
    }
    case "place": {
      const found = `place ${markup.attributes.id}`;
      const name = PARTS[markup.part];
      if (markup.part === "videos") return problem(found, "Candor has no videos. The place stays empty.");
      if (!name) return problem(found, "Candor has nothing for this place. It stays empty.");
      const mode = markup.attributes["data-mode"];
      if (markup.part === "seller" && mode !== undefined && !SELLER_MODES.includes(mode))
        return problem(
          found,
          `Candor doesn't have the mode ${mode} and shows the badge. It has ${SELLER_MODES.join(", ")}.`,
        );
      const stores = [...context.stores.values()].filter((store) => store !== null);
      if (markup.part === "qa" && stores.length > 0 && stores.every((store) => !store.collect_questions))
        return problem(found, "The store's setting collect_questions is off.");
      // `load` itself fills only the places without a context.
      const prefix = markup.attributes.id?.slice(`testfreaks-${markup.part}-`.length);
      return fine(found, `Shows ${name}${prefix ? ` if the page has the command ${prefix}.load` : ""}.`);
    }
    case "item": {
      const found = "place testfreaks-item";
      const { "data-product-id": product, "data-family-id": family } = markup.attributes;
      return product || family
        ? fine(found, `Shows the stars of ${product ? `product ${product}` : `family ${family}`}.`)
        : problem(found, "It has no data-product-id or data-family-id.");
    }
    case "command":
      return explainCommand(markup);
    case "form": {
      const found = `${markup.isFramed ? "frame" : "link"} ${markup.address}`;
      const issue =
        storeIssue(markup.clientId, context) ??
        (markup.isFramed ? originIssue(markup.clientId, context) : null) ??
        (markup.query.get("key") || markup.query.get("url_key") ? null : "It has no product: add key or url_key.");
      if (issue) return problem(found, issue);
      if (markup.form === "questions" && context.stores.get(markup.clientId ?? "")?.collect_questions === false)
        return problem(found, "The store's setting collect_questions is off.");
      return fine(found, hostNote(markup.host, context));
    }
    case "json": {
      const found = `JSON ${markup.address}`;
      const issue = storeIssue(markup.clientId, context);
      return issue ? problem(found, issue) : fine(found, hostNote(markup.host, context));
    }
    case "policy":
      return null;
  }
}

function explainCommand({ command, name, values }: Extract<Markup, { kind: "command" }>): Explained {
  const found = `command ${command}`;
  if (COMMANDS_WITHOUT_EFFECT.includes(name)) return { found, works: true, note: "Accepted without effect." };
  if (!COMMANDS.includes(name))
    return { found, works: false, note: "Candor doesn't have this command and ignores it." };
  if (name === "setProductId" || name === "setFamilyId")
    return /^(?:""|''|``|null|undefined)?$/.test(values)
      ? { found, works: false, note: "It has no ID." }
      : { found, works: true, note: "Use the IDs of the product feed." };
  if (name !== "load") return { found, works: true, note: "Works as before." };
  // A variable's value isn't known.
  const names = [...values.matchAll(/["'`]([^"'`]*)["'`]/g)].flatMap(([, text = ""]) => text.match(/[^\s,]+/g) ?? []);
  const missing = names.filter((each) => !LOADED.includes(each));
  if (missing.length > 0)
    return { found, works: false, note: `Candor doesn't show ${missing.join(", ")}. It loads the others.` };
  if (names.length > 0) return { found, works: true, note: `Loads ${names.join(", ")}.` };
  return { found, works: true, note: values === "" ? "Loads everything on the page." : "Works as before." };
}

/** Why an address's store can't be used. An id that a script computes can't be checked. */
function storeIssue(id: string | null, { stores, clientId }: MigrationContext): string | null {
  if (id === null) return null;
  if (clientId !== undefined && id !== clientId) return `It is of another client: ${id}.`;
  return stores.get(id) ? null : `No client has the ID ${id} here. Create it, or change the ID.`;
}

function originIssue(id: string | null, { stores, pageUrl, origin: candor }: MigrationContext): string | null {
  if (pageUrl.startsWith("https:") && candor.startsWith("http:"))
    return `Browsers load nothing from ${candor} on an https page: Candor needs https, too.`;
  const { origin } = new URL(pageUrl);
  const allowed = (id !== null && stores.get(id)?.allowed_origins) || [];
  return allowed.length > 0 && !allowed.includes(origin)
    ? `The store's allowed sites don't include ${origin}: add it to allowed_origins.`
    : null;
}

const hostNote = (host: string, { origin }: MigrationContext): string =>
  host === new URL(origin).host ? "Loads from Candor already." : `Change the host to ${origin}.`;

/** The page's policies, of its headers and in its HTML. All of them apply. */
function policyFindings(markups: Markup[], context: MigrationContext): MigrationFinding[] {
  const { policies, origin, ownOrigin, pageUrl } = context;
  const scripts = markups.flatMap((markup) => (markup.kind === "script" ? [markup] : []));
  const framesForms = markups.some((markup) => markup.kind === "form" && markup.isFramed);
  const fetchesJson = markups.some((markup) => markup.kind === "json");
  // The widget's parts, its JSON, and the images and forms that JSON links to are on this installation's own origin.
  const uses = [
    ...(origin === ownOrigin ? [] : [{ origin, fetchesJson, showsImages: false }]),
    { origin: ownOrigin, fetchesJson: true, showsImages: true },
  ];
  const all = [
    ...policies.map((policy) => ({ line: null, policy })),
    ...markups.flatMap((markup) => (markup.kind === "policy" ? [{ line: markup.line, policy: markup.policy }] : [])),
  ];
  return all.map(({ line, policy }) => {
    const missing = uses.flatMap((use) => {
      const blocking = blockingDirectives(policy, { ...use, pageUrl, scripts, framesForms });
      return blocking.length > 0 ? [`${use.origin} to ${blocking.join(", ")}`] : [];
    });
    return {
      line,
      found: "Content-Security-Policy",
      works: missing.length === 0,
      note: missing.length === 0 ? "Allows Candor." : `Blocks Candor: add ${missing.join("; ")}.`,
    };
  });
}
