import { commands, commandsWithoutEffect, sections } from "@/lib/display/widget/browser/compat-commands";
import { formPaths } from "@/lib/forms/web-form/link";
import { isComputed, usesBelow } from "@/lib/insights/served-paths";
import { isOfService, type Markup, type PageUrl } from "./find-markup";
import { blockingDirectives } from "./page-policy";

/** One thing on a page, and whether it works once the old service's host is replaced by Candor's. */
export type MigrationFinding = {
  /** line of the page's HTML; null for the page as a whole and its headers */
  line: number | null;
  found: string;
  /** null if the HTML doesn't say */
  works: boolean | null;
  note: string;
};

/** What a store's settings decide. */
export type MovedStore = {
  collect_questions: boolean;
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

const PARTS = new Map([
  ["badge", "the badge"],
  ["reviews", "the reviews"],
  ["qa", "the questions"],
  ["seller", "the seller reviews"],
]);

const SELLER_MODES = ["badge", "content", "sidebar"];

const COMMANDS = new Set<string>(commands);
const COMMANDS_WITHOUT_EFFECT = new Set<string>(commandsWithoutEffect);

const LOADED = new Set<string>(sections.filter((name) => name !== "videos"));

/** Most IDs that one line names. */
const MAX_NAMED = 5;

const UNKNOWN = "Can't be checked here:";

/** Explains line by line what of a page works after the host is changed, and what doesn't. */
export function explainMigration(markups: Markup[], context: MigrationContext): MigrationFinding[] {
  const hosts = candorHosts(context);
  const own = markups.filter((markup) => isOfService(markup, hosts));
  const ownMarkups = new Set(own);
  const isRead = !markups.some(({ kind }) => kind === "end");
  if (own.length === 0 && isRead)
    return [
      {
        line: null,
        found: "page",
        works: false,
        note: "The HTML has nothing of the old service. What scripts or a tag manager add isn't checked: look for it in their code.",
      },
    ];
  const page: Page = { ...context, ...commandsOf(own), links: own.filter((markup) => markup.kind === "url") };
  const needsScript = own.some(({ kind }) => kind === "container" || kind === "item" || kind === "command");
  return [
    ...policyFindings(markups, page),
    ...(needsScript && isRead && !page.links.some(mayBeScript)
      ? [
          {
            line: null,
            found: "page",
            works: false,
            note: "The HTML doesn't have the old service's script. If a tag manager adds it, change the host there.",
          },
        ]
      : []),
    ...markups.flatMap((markup) => {
      const isExplained = markup.kind === "ratings" || ownMarkups.has(markup);
      const finding = isExplained ? explain(markup, page) : null;
      return finding ? [{ line: markup.line, ...finding }] : [];
    }),
  ];
}

const words = new Map([
  [true, "ok"],
  [false, "FAIL"],
  [null, "note"],
]);
/** The word for whether something works. */
export const wordOf = ({ works }: Pick<MigrationFinding, "works">): string => words.get(works) ?? "";

/** A finding as one line: an attribute of the page can have line breaks, and would look like another finding. */
export const findingLine = ({ line, found, works, note }: MigrationFinding): string =>
  `${wordOf({ works }).padEnd(4)}  ${line ?? "-"}: ${`${found}: ${note}`.replace(/\s+/g, " ")}`;

type Explained = Omit<MigrationFinding, "line">;
type CommandMarkup = Extract<Markup, { kind: "command" }>;
/** A `load`. `names` is empty for all sections, and null if a script computes them, as may be the context. */
type Load = { context: string | null; names: string[] | null };
type PageCommands = {
  loads: Load[];
  /** whether containers without a context are filled without any command */
  loadsItself: boolean;
  /** whether the script adds structured data, and of which products; none: a script computes them */
  addsStructuredData: boolean;
  ids: string[];
};
type Page = MigrationContext & PageCommands & { links: Extract<Markup, { kind: "url" }>[] };

const problem = (found: string, note: string): Explained => ({ found, works: false, note });
const fine = (found: string, note: string): Explained => ({ found, works: true, note });
const unknown = (found: string, note: string): Explained => ({ found, works: null, note });

const candorHosts = ({ origin, ownOrigin }: MigrationContext): string[] =>
  [origin, ownOrigin].map((each) => new URL(each).host);

const isCandor = (host: string, context: MigrationContext): boolean => candorHosts(context).includes(host);

/** Whether a URL is the script's, or a script may build the script's URL from it. */
const mayBeScript = ({ served, element, url }: PageUrl): boolean =>
  served
    ? served.use === "script" && (element === null || element === "script")
    : element === null && usesBelow(url.pathname).has("script");

function commandsOf(markups: Markup[]): PageCommands {
  const commands = markups.flatMap((markup) => (markup.kind === "command" ? [markup] : []));
  const loads = commands.flatMap(({ name, context, values }) =>
    name === "load" || name === null ? [{ context, names: name === null ? null : namesIn(values) }] : [],
  );
  const products = commands.filter(({ name }) => name === "setProductId");
  return {
    loads,
    loadsItself: loads.length === 0 && !commands.some(({ name }) => name === "reset"),
    addsStructuredData: commands.some(
      ({ name, values }) => name === "setAggregateRatingSchema" && !isTurnedOff(values),
    ),
    ids: products.flatMap(({ values }) => {
      const [, , text, number] = /^(?:(["'`])([^"'`$\\]+)\1|(\d+))$/.exec(values) ?? [];
      return text ?? number ?? [];
    }),
  };
}

const isTurnedOff = (values: string): boolean => /^(?:false|"false"|'false'|`false`|0|null|""|'')$/.test(values);

/** The names in the values of `load`; null if a script computes them. */
function namesIn(values: string): string[] | null {
  if (/[^\s,[\]]/.test(values.replaceAll(/(["'`])[^"'`]*\1/g, "")) || isComputed(values)) return null;
  return [...values.matchAll(/["'`]([^"'`]*)["'`]/g)].flatMap(([, text = ""]) => text.match(/[^\s,]+/g) ?? []);
}

function explain(markup: Markup, page: Page): Explained | null {
  switch (markup.kind) {
    case "url":
      return explainUrl(markup, page);
    case "container":
      return explainContainer(markup, page);
    case "item": {
      const found = "container testfreaks-item";
      const { "data-product-id": product, "data-family-id": family } = markup.attributes;
      if (!product && !family) return problem(found, "It has no data-product-id or data-family-id.");
      const shown = `the stars of ${product ? `product ${product}` : `family ${family}`}`;
      return explainLoading(found, shown, "items", null, page);
    }
    case "command":
      return explainCommand(markup);
    case "ratings":
      return explainRatings(markup, page);
    case "end":
      return unknown("page", `${UNKNOWN} elements are nested too deeply, and nothing below was read.`);
    case "policy":
      return null;
  }
}

function explainContainer(
  { part, context, attributes }: Extract<Markup, { kind: "container" }>,
  page: Page,
): Explained {
  const found = `container ${attributes.id}`;
  const name = PARTS.get(part);
  if (part === "videos") return problem(found, "Candor has no videos. The container stays empty.");
  if (!name) return problem(found, "Candor has nothing for this container. It stays empty.");
  const mode = attributes["data-mode"];
  if (part === "seller" && mode !== undefined && !SELLER_MODES.includes(mode))
    return problem(
      found,
      `Candor doesn't have the mode ${mode} and shows the badge. It has ${SELLER_MODES.join(", ")}.`,
    );
  if (part === "qa" && collectsNoQuestions(null, page))
    return problem(found, "The store's setting collect_questions is off.");
  return explainLoading(found, name, part, context, page);
}

/** Whether one of the page's commands fills a container. The context null is any. */
function explainLoading(found: string, shown: string, part: string, context: string | null, page: Page): Explained {
  const { loads, loadsItself } = page;
  const matching = loads.filter((load) => context === null || load.context === null || load.context === context);
  const isCertain = (load: Load) =>
    (context === null || load.context === context) &&
    load.names !== null &&
    (load.names.length === 0 || load.names.includes(part));
  if ((loadsItself && !context) || matching.some(isCertain)) return fine(found, `Shows ${shown}.`);
  if (matching.some((load) => load.context === null || load.names === null))
    return unknown(found, `${UNKNOWN} a script computes what it loads.`);
  const command = context ? `${context}.load` : "load";
  return unknown(found, `${UNKNOWN} no command ${command} in the HTML fills it. Look for one in other scripts.`);
}

function explainCommand({ command, name, context, values }: CommandMarkup): Explained {
  const found = `command ${command}`;
  if (name === null) return unknown(found, `${UNKNOWN} a script computes the command.`);
  if (COMMANDS_WITHOUT_EFFECT.has(name)) return fine(found, "Accepted without effect.");
  if (!COMMANDS.has(name)) return problem(found, "Candor doesn't have this command and ignores it.");
  if (context === null) return unknown(found, `${UNKNOWN} a script computes its context.`);
  if (name === "setProductId" || name === "setFamilyId")
    return /^(?:""|''|``|null|undefined)?$/.test(values)
      ? problem(found, "It has no ID.")
      : fine(found, "Use the IDs of the product feed.");
  if (name === "setAggregateRatingSchema" && !isTurnedOff(values))
    return fine(found, "Adds the structured data of one product, the last one shown.");
  if (name === "reset")
    return fine(found, context ? `Clears the containers of ${context}.` : "Clears the containers of all contexts.");
  if (name !== "load") return fine(found, "Works as before.");
  const names = namesIn(values);
  if (names === null) return unknown(found, `${UNKNOWN} a script computes what it loads.`);
  const containers = context ? `the containers of ${context}` : "the containers without a context";
  const missing = names.filter((each) => !LOADED.has(each));
  if (missing.length > 0) return problem(found, `Candor doesn't show ${missing.join(", ")}. It loads the others.`);
  return fine(
    found,
    names.length > 0 ? `Loads ${names.join(", ")} into ${containers}.` : `Loads all ${containers.slice(4)}.`,
  );
}

function explainRatings({ format, ids }: Extract<Markup, { kind: "ratings" }>, page: Page): Explained {
  const found = `${format} with ratings${ids.length > 0 ? ` of ${listed(ids)}` : ""}`;
  if (!page.addsStructuredData)
    return unknown(
      found,
      `${UNKNOWN} where the ratings come from. If they are from the old service, take them from Candor's product.jsonld, or remove them and add the command setAggregateRatingSchema.`,
    );
  if (ids.length > 0 && page.ids.length > 0 && !ids.some((id) => page.ids.includes(id)))
    return unknown(
      found,
      `${UNKNOWN} where the ratings come from. setAggregateRatingSchema adds those of ${listed(page.ids)} only.`,
    );
  return problem(found, "setAggregateRatingSchema adds Candor's ratings. Remove aggregateRating and review here.");
}

function listed(ids: string[]): string {
  const more = ids.length - MAX_NAMED;
  return ids.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function explainUrl(link: PageUrl, page: Page): Explained {
  const { text, url, served, element, clientId } = link;
  const found = `${labelOf(link)} ${text}`;
  const isMoved = isCandor(url.host, page);
  const change = isMoved ? "Loads from Candor already." : `Change the host to ${page.origin}.`;
  if (!served) return explainOther(link, found, change);
  switch (served.use) {
    case "script": {
      const issue = storeIssue(clientId, page) ?? originIssue(clientId, page);
      return issue ? problem(found, issue) : fine(found, change);
    }
    case "form":
      return explainForm(link, found, change, page);
    case "submission":
    case "upload": {
      if (served.path.endsWith("/questions") && collectsNoQuestions(clientId, page))
        return problem(found, "The store's setting collect_questions is off.");
      const issue = originIssue(clientId, page);
      if (issue) return problem(found, issue);
      if (element === "form" && served.use === "submission")
        return problem(found, "Candor accepts JSON from a script, not form fields. Link to its own form instead.");
      return isMoved
        ? unknown(found, `${UNKNOWN} it needs the store's client_id, and its public key as api_key.`)
        : problem(found, `Change the host to ${page.origin}, and api_key to the store's public key.`);
    }
    case "vote":
      return isMoved
        ? fine(found, change)
        : problem(found, "It belongs to a review of the old service. Use the feedback_url in Candor's JSON.");
    case "html":
    case "styles": {
      const issue = storeIssue(clientId, page);
      return issue ? problem(found, issue) : fine(found, `${change} Candor's HTML has different classes.`);
    }
    default: {
      const issue = storeIssue(clientId, page);
      if (issue) return problem(found, issue);
      const isNamed = served.path.includes("{client_id}");
      return (isNamed ? null : missingInQuery(found, link, "store", ["client_id"])) ?? fine(found, change);
    }
  }
}

function explainForm(link: PageUrl, found: string, change: string, page: Page): Explained {
  const { served, element, clientId } = link;
  const issue = storeIssue(clientId, page) ?? (element === "iframe" ? originIssue(clientId, page) : null);
  if (issue) return problem(found, issue);
  if (served?.path === formPaths.questions && collectsNoQuestions(clientId, page))
    return problem(found, "The store's setting collect_questions is off.");
  return (
    missingInQuery(found, link, "store", ["client_id"]) ??
    missingInQuery(found, link, "product", ["key", "url_key"]) ??
    fine(found, change)
  );
}

/** What a URL lacks. Scripts and the fields of a form can add it. */
function missingInQuery(found: string, { url, element }: PageUrl, subject: string, names: string[]): Explained | null {
  if (names.some((name) => url.searchParams.get(name))) return null;
  return element === null || element === "form" || isComputed(url.search)
    ? unknown(found, `${UNKNOWN} its ${subject} isn't in the HTML. It needs ${names.join(" or ")}.`)
    : problem(found, `It has no ${subject}: add ${names.join(" or ")}.`);
}

/** A URL that Candor doesn't have, or the beginning of one. */
function explainOther({ url, element }: PageUrl, found: string, change: string): Explained {
  const { hostname, pathname } = url;
  if (element === "link" && pathname === "/") return fine(found, change);
  const isHome = pathname === "/" && /^(?:www\.)?testfreaks\.com$/.test(hostname);
  const uses = usesBelow(pathname);
  if (element === null && uses.size > 0 && !isHome) {
    const key = uses.has("submission") ? " Submissions also need the store's public key as api_key." : "";
    return unknown(found, `${change} ${UNKNOWN} a script adds the rest.${key}`);
  }
  if (/^\/v1(?:\/|$)/.test(pathname))
    return problem(found, `${change} It needs a Candor API key, which must not be in a page.`);
  return problem(
    found,
    pathname === "/"
      ? "It leads to the old service's own site. Remove it."
      : "Candor doesn't have this URL. Remove it.",
  );
}

const LABELS = new Map([
  ["iframe", "frame"],
  ["a", "link"],
  ["area", "link"],
  ["img", "image"],
  ["button", "form"],
  ["input", "form"],
]);

function labelOf({ served, element, attributes }: PageUrl): string {
  if (served?.use === "json") return "JSON";
  if (element === null) return served?.use === "script" ? "script" : "URL";
  if (element === "link") return attributes.rel?.trim().toLowerCase() || "link";
  return LABELS.get(element) ?? element;
}

/** Why a URL's store can't be used. An id that a script computes can't be checked. */
function storeIssue(id: string | null, { stores, clientId }: MigrationContext): string | null {
  if (id === null) return null;
  if (clientId !== undefined && id !== clientId) return `It belongs to another client: ${id}.`;
  return stores.get(id) ? null : `No client has the ID ${id} here. Create it, or change the ID.`;
}

/** The store with this id; if a URL doesn't name one, all stores of the page. */
const storesOf = (id: string | null, { stores }: MigrationContext): MovedStore[] =>
  (id === null ? [...stores.values()] : [stores.get(id)]).filter((store) => store != null);

function collectsNoQuestions(id: string | null, context: MigrationContext): boolean {
  const stores = storesOf(id, context);
  return stores.length > 0 && stores.every((store) => !store.collect_questions);
}

function originIssue(id: string | null, context: MigrationContext): string | null {
  const { pageUrl, origin: candor } = context;
  if (pageUrl.startsWith("https:") && candor.startsWith("http:"))
    return `Browsers load nothing from ${candor} on an https page: Candor needs https, too.`;
  const { origin } = new URL(pageUrl);
  const stores = storesOf(id, context);
  return stores.length > 0 &&
    stores.every(({ allowed_origins: allowed }) => allowed.length > 0 && !allowed.includes(origin))
    ? `The store's allowed sites don't include ${origin}: add it to allowed_origins.`
    : null;
}

/** The page's policies, of its headers and in its HTML. All of them apply. */
function policyFindings(markups: Markup[], page: Page): MigrationFinding[] {
  const { policies, origin, ownOrigin, pageUrl } = page;
  const all = [
    ...policies.map((policy) => ({ line: null, policy })),
    ...markups.flatMap((markup) => (markup.kind === "policy" ? [{ line: markup.line, policy: markup.policy }] : [])),
  ];
  const uses = [...new Set([origin, ownOrigin])].map((each) => ({ origin: each, pageUrl, ...useOf(each, page) }));
  return all.map(({ line, policy }) => {
    const missing = uses.flatMap((use) => {
      const blocking = blockingDirectives(policy, use);
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

/** What the page does with one of Candor's origins. */
function useOf(origin: string, { links, ...context }: Page) {
  // URLs that have Candor's host already keep it.
  const used = links.filter(({ url }) => (isCandor(url.host, context) ? url.origin : context.origin) === origin);
  const isJsonp = ({ served, element, url }: PageUrl) =>
    served?.use === "json" && (element === "script" || url.searchParams.has("callback"));
  const isFetched = (link: PageUrl) =>
    link.element === null && /^(?:json|submission|upload|vote)$/.test(link.served?.use ?? "") && !isJsonp(link);
  // A host alone may be for anything.
  const runs = (link: PageUrl) => mayBeScript(link) && /^\/[a-z]/.test(link.url.pathname);
  // The widget's parts and JSON, the lists that JSON links to, and the images in these are on this installation's own
  // origin, whichever the page loads from.
  const isOwn = origin === context.ownOrigin;
  return {
    scripts: [...used.filter((link) => runs(link) || isJsonp(link)), ...(isOwn ? links.filter(runs) : [])].map(
      ({ element, attributes }) => ({ nonce: attributes.nonce || null, isInline: element === null }),
    ),
    fetchesJson: used.some(isFetched) || (isOwn && links.some((link) => runs(link) || isFetched(link))),
    showsImages: isOwn && links.some((link) => runs(link) || link.served?.use === "json"),
    framesForms: used.some(
      ({ element, served }) => served?.use === "form" && (element === "iframe" || element === null),
    ),
    submitsForms: used.some((link) => labelOf(link) === "form"),
    loadsStyles: used.some(({ element, served }) => element === "link" && served?.use === "styles"),
  };
}
