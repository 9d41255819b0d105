import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { apiDescription } from "@/app/_description";
import { root } from "@/lib/tools/launch/bootstrap.mjs";

// Documentation and the API's description use plain English in the terms of the field. Code in backticks is not checked.

/** Words to avoid, each with what to write and why. */
const avoidedTerms: { pattern: RegExp; write: string }[] = [
  { pattern: /\be-mail(s|ed|ing)?\b/gi, write: "email: the spelling of our screens and of other services" },
  { pattern: /(?<![\w./-])mail(s|ed|ing)?\b(?![./-]\w)/gi, write: "email: mail also means letters and parcels" },
  { pattern: /\b(tells?|told|telling)\b/gi, write: "send, deliver, report or show: systems don't talk" },
  { pattern: /\b(hears?|heard|hearing)\b/gi, write: "receive or subscribe to: systems don't listen" },
  { pattern: /\b(stands?|stood)\b/gi, write: "is, means or applies: literary" },
  { pattern: /\bdoors?\b/gi, write: "page, path or request pipeline: a metaphor that readers have to guess" },
  { pattern: /\b(shut|let)s? (out|in)\b/gi, write: "deactivate, reactivate or refuse: a metaphor" },
  {
    pattern: /\bt(ak|ook)(es?|en|ing)? in\b(?! \w+ (minutes|hours|days))/gi,
    write: "import: the term of other services",
  },
  { pattern: /\bhand(s|ed|ing)? (it |them )?over\b/gi, write: "deliver or send: the term of webhooks" },
  { pattern: /\banew\b/gi, write: "again: literary" },
  { pattern: /\bmend(s|ed|ing)?\b/gi, write: "fix or correct: dated" },
  { pattern: /\b(some|no|any|every)body('s)?\b/gi, write: "you, a person, everyone, or the passive voice: say who" },
  { pattern: /\bwho(m|ever)\b/gi, write: "a person or customers who …: inverted sentences are hard to scan" },
  { pattern: /\b(under way|underway)\b/gi, write: "in progress: the usual term of APIs" },
  { pattern: /\bout of turn\b/gi, write: "now or manually: literary" },
  { pattern: /\bfor good\b/gi, write: "permanently or without an end: an idiom" },
  { pattern: /\b(gets? through|go(es)? along)\b/gi, write: "succeed, include: idioms" },
  { pattern: /\bquarantines?\b/gi, write: "cooldown: the glossary's term for days between emails" },
  { pattern: /\b(un)?seal(s|ed|ing)?\b/gi, write: "encrypt or decrypt: the term of the field" },
  { pattern: /\b(choose|chose|chosen|chooses)\b/gi, write: "select: the verb of our screens" },
  { pattern: /\bpictures?\b/gi, write: "image or photo: the glossary's terms" },
  { pattern: /\bfaults?\b/gi, write: "error or issue: the terms of the API" },
  { pattern: /\blog-?ins?\b/gi, write: "sign-in: the term of our screens" },
  { pattern: /\buser names?\b/gi, write: "username: the label of our screens" },
  { pattern: /(?<!\bdemo[ -]|[\w./-])shops?\b(?!\.\w)/gi, write: "store: the term of our screens" },
  { pattern: /\b(catalogue|behaviour|colour|favour|honour|licence|grey)(s|d)?\b/gi, write: "the US spelling" },
  { pattern: /\b(cancell|labell|travell|modell)(ed|ing)\b/gi, write: "the US spelling, with one l" },
  {
    pattern: /\b(organ|synchron|recogn|author|initial|normal|summar|anonym)is(e|es|ed|ing|ation)\b/gi,
    write: "the US spelling, with z",
  },
];

/** Texts that may contain such a word. */
const allowed: { place: string; text: string; reason: string }[] = [
  {
    place: "API",
    text: "The API calls a store a client.",
    reason: "explains the name of the field",
  },
];

/** In the API's description, "client" is allowed only where the name is explained. */
const avoidedTermsInApi = [
  ...avoidedTerms,
  { pattern: /(?<![\w.-])clients?(?![\w-])/gi, write: "store: what merchants call it; client_id is in backticks" },
];

/** The text as people read it: without code blocks, code, addresses, link targets and quoted file names. */
const prose = (text: string) =>
  text
    .replace(/^```[\s\S]*?^```/gm, " ")
    .replace(/`[^`]*`/g, " ")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/<?https?:\/\/[^\s)>]+>?/g, " ")
    .replace(/\s+/g, " ");

function findAvoided(text: string, list = avoidedTerms, place = ""): string[] {
  const checked = allowed
    .filter((one) => one.place === place)
    .reduce((rest, one) => rest.replaceAll(one.text, " "), prose(text));
  return list.flatMap(({ pattern, write }) =>
    [...checked.matchAll(pattern)].map(({ 0: word, index }) => {
      const context = checked.slice(Math.max(0, index - 40), index + word.length + 30);
      return `"${word}" in "…${context}…": write ${write}`;
    }),
  );
}

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Summaries and descriptions of an OpenAPI document, without its examples. */
function textsOf(value: unknown): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === "example" || key === "examples") return [];
    if ((key === "description" || key === "summary") && typeof member === "string") return [member];
    return textsOf(member);
  });
}

const pages = globSync(["*.md", ".github/**/*.md", "{app,components,docs,e2e,inngest,lib,prisma}/**/*.md"], {
  cwd: root,
  exclude: ["docs/voice.md"], // quotes the words to avoid
});

describe("plain language", () => {
  it.each(pages)("%s", (page) => {
    expect(findAvoided(read(page), avoidedTerms, page)).toEqual([]);
  });

  it.each([".env.example", "compose.yaml", "compose.minimal.yaml", "Dockerfile"])("the comments of %s", (file) => {
    const comments = read(file)
      .split("\n")
      .filter((line) => /^\s*# /.test(line))
      .map((line) => line.replace(/^\s*# /, ""));
    expect(comments.length).toBeGreaterThan(5);
    expect(findAvoided(comments.join("\n"), avoidedTerms, file)).toEqual([]);
  });

  it.each(["public", "portal"] as const)("the %s description of the API", (audience) => {
    const texts = [...new Set(textsOf(apiDescription(audience)))];
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.flatMap((text) => findAvoided(text, avoidedTermsInApi, "API"))).toEqual([]);
  });

  it("are checked as sentences and not as code", () => {
    expect(findAvoided("Somebody is told by mail.").map((line) => line.split(" in ")[0])).toEqual([
      '"mail"',
      '"told"',
      '"Somebody"',
    ]);
    expect(findAvoided("Use `mails.told` of https://shop.example/door in the [demo shop](shop.md).")).toEqual([]);
  });

  it("have no unused exceptions", () => {
    const all: Record<string, string> = {
      API: textsOf([apiDescription("public"), apiDescription("portal")]).join("\n"),
    };
    expect(allowed.filter(({ place, text }) => !(all[place] ?? prose(read(place))).includes(text))).toEqual([]);
  });
});
