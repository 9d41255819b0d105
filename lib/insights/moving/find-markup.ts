import { lineCounter, readHtml } from "@/lib/insights/read-html";
import { isComputed, readPath, type ServedPath, usesBelow } from "@/lib/insights/served-paths";

// What pages contain that were built for the hosted service whose interface Candor has: its URLs, its containers, calls
// of its command queue. A page isn't run, so what scripts add later isn't found.

/** A URL that may be the old service's. */
export type PageUrl = {
  /** as in the page, with `${…}` for what a script computes */
  text: string;
  url: URL;
  /** what Candor has at this path */
  served: ServedPath | null;
  /** the store, if the URL names it */
  clientId: string | null;
  /** the element that has the URL; null in a script */
  element: string | null;
  attributes: Record<string, string>;
};

/** Something on a page that belongs to the old service, and its line in the HTML. */
export type Markup = { line: number } & (
  | ({ kind: "url" } & PageUrl)
  | { kind: "container"; part: string; context: string; attributes: Record<string, string> }
  | { kind: "item"; attributes: Record<string, string> }
  /** `name` and `context` are null if a script computes them */
  | { kind: "command"; command: string; name: string | null; context: string | null; values: string }
  /** the page's own structured data with ratings, and its products' ids */
  | { kind: "ratings"; format: "JSON-LD" | "microdata"; ids: string[] }
  | { kind: "policy"; policy: string }
  /** where reading stopped */
  | { kind: "end" }
);

/** More isn't reported: such a page isn't a store's. URLs of other hosts, Candor's too, are counted apart. */
const MAX_FOUND = 1_000;
/** Characters of the queue's calls that are read, of one and of all in a script. */
const MAX_CALL = 20_000;
const MAX_CALLS = 2_000_000;

const LINKING = ["src", "data-src", "href", "action", "formaction"];

/** Everything of the old service in a page's HTML, from top to bottom. */
export function findMarkup(html: string, pageUrl: string): Markup[] {
  const found: Markup[] = [];
  let hasMicrodata = false;
  const left = { own: MAX_FOUND, other: MAX_FOUND };
  const add = (markup: Markup) => {
    const whose = markup.kind === "url" && !isOfService(markup) ? "other" : "own";
    if (left[whose] === 0) return;
    left[whose] -= 1;
    found.push(markup);
  };
  const stoppedAt = readHtml(html, {
    onElement(element, attributes, line) {
      const [, part, context = ""] = /^testfreaks-([a-z]+)(?:-(.+))?$/.exec(attributes.id ?? "") ?? [];
      if (part && part !== "section" && part !== "loaded") add({ kind: "container", line, part, context, attributes });
      if (/(?:^|\s)testfreaks-item(?:\s|$)/.test(attributes.class ?? "")) add({ kind: "item", line, attributes });
      for (const name of LINKING) {
        const linked = attributes[name] && readLink(attributes[name], pageUrl);
        if (linked) add({ kind: "url", line, ...linked, element, attributes });
      }
      if (element === "meta" && attributes["http-equiv"]?.toLowerCase() === "content-security-policy")
        add({ kind: "policy", line, policy: attributes.content ?? "" });
      if (!hasMicrodata && /(?:^|\s)aggregateRating(?:\s|$)/.test(attributes.itemprop ?? "")) {
        hasMicrodata = true;
        add({ kind: "ratings", line, format: "microdata", ids: [] });
      }
      for (const [attribute, value] of Object.entries(attributes))
        if (attribute.startsWith("on")) for (const markup of inScript(value, pageUrl)) add({ ...markup, line });
    },
    onScript(text, line, { type }) {
      if (type?.trim().toLowerCase() === "application/ld+json") {
        const ids = ratedProducts(text);
        if (ids) add({ kind: "ratings", line, format: "JSON-LD", ids });
        return;
      }
      for (const markup of inScript(text, pageUrl)) add({ ...markup, line: line + markup.line - 1 });
    },
  });
  if (stoppedAt !== null) found.push({ kind: "end", line: stoppedAt });
  return found;
}

/** A value that a script puts between two texts, or after one. */
const JOINED = String.raw`["'\`]\s{0,20}\+\s{0,20}[\w$.]{1,80}(?:\([\w$.]{0,80}\))?\s{0,20}\+\s{0,20}["'\`]`;
const SCRIPT_URL = new RegExp(
  String.raw`(?:https?:)?//[^\s"'\`<>()\\]{3,500}(?:${JOINED}[^\s"'\`<>()\\]{0,500}){0,10}(?:["'\`]\s{0,20}\+)?`,
  "g",
);

// biome-ignore lint/suspicious/noTemplateCurlyInString: as in the code of a page
const COMPUTED = "${…}";

/** A URL that a script joins, as one text. What comes after a host is a path. */
const joined = (code: string): string =>
  code
    .replaceAll(new RegExp(JOINED, "g"), COMPUTED)
    .replace(/["'`]\s*\+$/, COMPUTED)
    .replace(/^((?:https?:)?\/\/[^/?#$]+)(?=\$\{)/, "$1/");

/** Commands and URLs in a script's text, with their line in it. */
function inScript(script: string, pageUrl: string): Markup[] {
  // As in JSON. It has no effect on lines.
  const text = script.replaceAll("\\/", "/");
  const lineAt = lineCounter(text);
  const found: { at: number; markup: Markup }[] = [];
  for (const { 0: code, index } of text.matchAll(SCRIPT_URL)) {
    const linked = readLink(joined(code), pageUrl, { isBuilt: true });
    if (linked)
      found.push({
        at: index,
        markup: { kind: "url", line: lineAt(index), ...linked, element: null, attributes: {} },
      });
  }
  for (const { at, text: array } of commandArrays(text)) {
    const command = readCommand(array);
    if (command) found.push({ at, markup: { kind: "command", line: lineAt(at), ...command } });
  }
  return found.sort((one, other) => one.at - other.at).map(({ markup }) => markup);
}

type Command = Omit<Extract<Markup, { kind: "command" }>, "kind" | "line">;

/** The command in an array; null if the array can't be one. */
function readCommand(array: string): Command | null {
  const first = firstOf(array);
  const values = array
    .slice(1 + first.length, -1)
    .replace(/^,/, "")
    .trim();
  const code = first.trim();
  if (code === "" || /^[[{\d]/.test(code)) return null;
  const [, , literal] = /^(["'`])([^"'`\\]{1,200})\1$/.exec(code) ?? [];
  const command = literal !== undefined && !isComputed(literal) ? literal : null;
  if (command !== null) {
    const dot = command.lastIndexOf(".");
    return { command, name: command.slice(dot + 1), context: command.slice(0, Math.max(dot, 0)), values };
  }
  // `context + ".load"`
  const [, name = null] = /\.(\w{1,50})["'`]$/.exec(code) ?? [];
  return { command: code.slice(0, 200), name, context: null, values };
}

/** The code of an array's first element. */
function firstOf(array: string): string {
  let depth = 0;
  let at = 1;
  for (; at < array.length - 1; at += 1) {
    const character = array[at] as string;
    if (`"'\``.includes(character)) at = endOfString(array, at, array.length);
    else if ("[({".includes(character)) depth += 1;
    else if ("])}".includes(character)) depth -= 1;
    else if (character === "," && depth === 0) break;
  }
  return array.slice(1, Math.min(at, array.length - 1));
}

/** `testFreaks.push(`, also after `|| [])`; and the start of `testFreaks = [`. */
const CALL =
  /testFreaks["'\]]{0,2}(?:\s{0,9}\|\|\s{0,9}\[\s{0,9}\]\s{0,9}\)?)?\s{0,9}(?:\.\s{0,9}push\s{0,9}\(|=\s{0,9}\[)/g;

/** The arrays in calls of the queue, also for a command that is only a text: `push("load")` means `push(["load"])`. */
function* commandArrays(text: string): Generator<{ at: number; text: string }> {
  let left = MAX_CALLS;
  for (const { 0: call, index } of text.matchAll(CALL)) {
    let depth = 0;
    let start = 0;
    /** Where a value starts that is a text. */
    let plain: number | null = null;
    let previous = ",";
    const from = index + call.length;
    const end = Math.min(text.length, from + Math.min(MAX_CALL, left));
    let at = from;
    for (; at < end && depth >= 0; at += 1) {
      const character = text[at] as string;
      if (`"'\``.includes(character)) {
        if (depth === 0 && previous === ",") plain = at;
        at = endOfString(text, at, end);
      } else if ("[({".includes(character)) {
        if (depth === 0) start = at;
        depth += 1;
      } else if ("])}".includes(character)) {
        depth -= 1;
        if (depth === 0 && character === "]" && plain === null) yield { at: start, text: text.slice(start, at + 1) };
      }
      if (plain !== null && (depth < 0 || (depth === 0 && character === ","))) {
        yield { at: plain, text: `[${text.slice(plain, at)}]` };
        plain = null;
      }
      if (character.trim() !== "") previous = character;
    }
    left -= at - from;
  }
}

function endOfString(text: string, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[start]) return at;
  }
  return end;
}

/** Whether a host is the hosted service's, whose other URLs Candor doesn't have. */
const isOldHost = (hostname: string): boolean => /(?:^|\.)testfreaks\.com$/.test(hostname);

/** Whether something is the old service's or, by its host, Candor's. Other services have paths such as `/api/reviews`, too. */
export function isOfService(markup: Markup, candorHosts: string[] = []): boolean {
  if (markup.kind === "policy" || markup.kind === "ratings") return false;
  if (markup.kind !== "url") return true;
  const { url, served } = markup;
  return (
    isOldHost(url.hostname) ||
    candorHosts.includes(url.host) ||
    /^\/onpage(?:\/|$)/.test(url.pathname) ||
    (served !== null && (url.pathname.startsWith("/badge/") || url.searchParams.has("client_id")))
  );
}

type ReadLink = Pick<PageUrl, "text" | "url" | "served" | "clientId">;

/** What a URL is, if Candor has it on some host, or a script may build such a one from it, or the host is the old one. */
function readLink(text: string, pageUrl: string, { isBuilt = false } = {}): ReadLink | null {
  if (!URL.canParse(text, pageUrl)) return null;
  const url = new URL(text, pageUrl);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  const served = readPath(url.pathname);
  const isBeginning = isBuilt && url.pathname !== "/" && usesBelow(url.pathname).size > 0;
  if (!served && !isBeginning && !isOldHost(url.hostname)) return null;
  const inQuery = url.searchParams.get("client_id");
  const clientId = served?.clientId ?? (inQuery && !isComputed(inQuery) ? inQuery : null);
  return { text, url, served, clientId };
}

/** The ids of the products that have ratings in JSON-LD; null if none has ratings. */
function ratedProducts(json: string): string[] | null {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return /"(?:aggregateRating|review)"\s*:/.test(json) ? [] : null;
  }
  const ids: string[] = [];
  let hasRatings = false;
  const left = [data];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    const { "@type": type, aggregateRating, review, sku, productID } = value as Record<string, unknown>;
    if ([type].flat().some((each) => /^Product/.test(String(each))) && (aggregateRating || review)) {
      hasRatings = true;
      for (const id of [sku, productID]) if (typeof id === "string" || typeof id === "number") ids.push(`${id}`);
    }
    for (const inner of Object.values(value).reverse()) left.push(inner);
  }
  return hasRatings ? ids : null;
}
