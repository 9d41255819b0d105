import { Parser } from "htmlparser2";
import { scriptClientOf } from "@/lib/insights/script-client";

// What pages contain that were built for the hosted service whose interface Candor has: its script, its places, calls
// of its command queue, its forms and its JSON. A page isn't run, so what scripts add later isn't found.

type Address = { address: string; host: string; clientId: string | null };

/** Something on a page that belongs to the old service, and its line in the HTML. */
export type Markup = { line: number } & (
  | ({ kind: "script"; nonce: string | null; isInline: boolean } & Address)
  | { kind: "place"; part: string; attributes: Record<string, string> }
  | { kind: "item"; attributes: Record<string, string> }
  | { kind: "command"; command: string; name: string; values: string }
  | ({ kind: "form"; form: "reviews" | "questions"; isFramed: boolean; query: URLSearchParams } & Address)
  | ({ kind: "json"; file: string } & Address)
  | { kind: "policy"; policy: string }
);

/** More isn't reported: such a page isn't a store's. */
const MAX_FOUND = 1_000;
/** Characters of the queue's calls that are read, of one and of all in a script. */
const MAX_CALL = 20_000;
const MAX_CALLS = 2_000_000;

/** Everything of the old service in a page's HTML, from top to bottom. */
export function findMarkup(html: string, pageUrl: string): Markup[] {
  const found: Markup[] = [];
  const lineAt = lineCounter(html);
  const add = (markup: Markup) => {
    if (found.length < MAX_FOUND) found.push(markup);
  };
  let scriptStart: number | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      const line = lineAt(parser.startIndex);
      const { id = "", src, href } = attributes;
      const [, part] = /^testfreaks-([a-z]+)(?:-.+)?$/.exec(id) ?? [];
      if (part && part !== "section" && part !== "loaded") add({ kind: "place", line, part, attributes });
      if (/(?:^|\s)testfreaks-item(?:\s|$)/.test(attributes.class ?? "")) add({ kind: "item", line, attributes });
      const link = { script: src, iframe: src ?? attributes["data-src"], a: href }[name];
      const linked = link === undefined ? null : classify(link, pageUrl);
      if (linked?.kind === "script" && name === "script")
        add({ ...linked, line, nonce: attributes.nonce || null, isInline: false });
      else if (linked?.kind === "form" && name !== "script") add({ ...linked, line, isFramed: name === "iframe" });
      else if (linked?.kind === "json") add({ ...linked, line });
      if (name === "meta" && attributes["http-equiv"]?.toLowerCase() === "content-security-policy")
        add({ kind: "policy", line, policy: attributes.content ?? "" });
      for (const [attribute, value] of Object.entries(attributes))
        if (attribute.startsWith("on")) for (const markup of inScript(value, pageUrl)) add({ ...markup, line });
      scriptStart = name === "script" && src === undefined ? parser.endIndex + 1 : null;
    },
    onclosetag(name) {
      if (name !== "script" || scriptStart === null) return;
      const first = lineAt(scriptStart);
      for (const markup of inScript(html.slice(scriptStart, parser.startIndex), pageUrl))
        add({ ...markup, line: first + markup.line - 1 });
      scriptStart = null;
    },
  });
  parser.end(html);
  return found;
}

/** Commands and addresses in a script's text, with their line in it. */
function inScript(script: string, pageUrl: string): Markup[] {
  // As in JSON. It has no effect on lines.
  const text = script.replaceAll("\\/", "/");
  const lineAt = lineCounter(text);
  const found: { at: number; markup: Markup }[] = [];
  for (const { 0: address, index } of text.matchAll(/(?:https?:)?\/\/[^\s"'`<>()\\]{3,500}/g)) {
    const linked = classify(address, pageUrl);
    const line = lineAt(index);
    if (linked?.kind === "script") found.push({ at: index, markup: { ...linked, line, nonce: null, isInline: true } });
    else if (linked?.kind === "form") found.push({ at: index, markup: { ...linked, line, isFramed: true } });
    else if (linked) found.push({ at: index, markup: { ...linked, line } });
  }
  for (const { at, text: array } of commandArrays(text)) {
    const [, command, values = ""] = /^\[\s*["'`]([\w.$-]{1,200})["'`]\s*,?([\s\S]*)\]$/.exec(array) ?? [];
    if (command === undefined) continue;
    const name = command.slice(command.lastIndexOf(".") + 1);
    found.push({ at, markup: { kind: "command", line: lineAt(at), command, name, values: values.trim() } });
  }
  return found.sort((one, other) => one.at - other.at).map(({ markup }) => markup);
}

/** `testFreaks.push(`, also after `|| [])`; and the start of `testFreaks = [`. */
const CALL =
  /testFreaks["'\]]{0,2}(?:\s{0,9}\|\|\s{0,9}\[\s{0,9}\]\s{0,9}\)?)?\s{0,9}(?:\.\s{0,9}push\s{0,9}\(|=\s{0,9}\[)/g;

/** The arrays in calls of the queue. */
function* commandArrays(text: string): Generator<{ at: number; text: string }> {
  let left = MAX_CALLS;
  for (const { 0: call, index } of text.matchAll(CALL)) {
    let depth = 0;
    let start = 0;
    const from = index + call.length;
    const end = Math.min(text.length, from + Math.min(MAX_CALL, left));
    let at = from;
    for (; at < end && depth >= 0; at += 1) {
      const character = text[at] as string;
      if (`"'\``.includes(character)) at = endOfString(text, at, end);
      else if ("[({".includes(character)) {
        if (depth === 0) start = at;
        depth += 1;
      } else if ("])}".includes(character)) {
        depth -= 1;
        if (depth === 0 && character === "]") yield { at: start, text: text.slice(start, at + 1) };
      }
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

type Linked =
  | ({ kind: "script" } & Address)
  | ({ kind: "form"; form: "reviews" | "questions"; query: URLSearchParams } & Address)
  | ({ kind: "json"; file: string } & Address);

/** What an address of the old service is, on any host; null for others. */
function classify(address: string, pageUrl: string): Linked | null {
  if (!URL.canParse(address, pageUrl)) return null;
  const { protocol, host, pathname, searchParams: query } = new URL(address, pageUrl);
  if (protocol !== "https:" && protocol !== "http:") return null;
  const scriptClient = scriptClientOf(pathname);
  if (scriptClient !== null) return { kind: "script", address, host, clientId: decoded(scriptClient) };
  const [, id] = /^\/(?:onpage|badge)\/([^/]+)\/reviews\.json$/.exec(pathname) ?? [];
  if (id !== undefined) return { kind: "json", file: "reviews.json", address, host, clientId: decoded(id) };
  if (!query.has("client_id")) return null;
  const clientId = query.get("client_id");
  if (pathname === "/seller_reviews.json") return { kind: "json", file: pathname.slice(1), address, host, clientId };
  const [, form] = /^\/(reviews|questions)\/new$/.exec(pathname) ?? [];
  return form ? { kind: "form", form: form as "reviews" | "questions", address, host, clientId, query } : null;
}

/** The id in an address; null if a script computes it. */
function decoded(id: string): string | null {
  try {
    const text = decodeURIComponent(id);
    return /[${}]/.test(text) ? null : text;
  } catch {
    return null; // invalid percent-encoding
  }
}

/** The line of each position in a text. */
function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let next = text.indexOf("\n"); next >= 0; next = text.indexOf("\n", next + 1)) starts.push(next + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
