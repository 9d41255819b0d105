import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

// English words that readers of the field trip over, each with what to write instead. The reader is "you", a thing has a status,
// and an email is sent.

const banned: [words: RegExp, instead: string][] = [
  [/\be-mails?\b|\bmails?\b|\bmailed\b|\bmailing\b/i, "email"],
  [/\blog-?in\b|\blog-?out\b/i, "sign in, sign out"],
  [/\buser name\b/i, "username"],
  [/\btold\b|\btells\b|\btelling\b/i, "show, send, deliver, notify"],
  [/\bhears?\b|\bheard\b/i, "receives, is subscribed to"],
  [/\bstands?\b|\bstood\b/i, "is, is shown"],
  [/\bwaits\b/i, "pending, queued"],
  [/\bshut out\b|\blet (?:in|go)\b/i, "deactivate, reactivate, resume"],
  [/\bhold back\b|\bheld back\b/i, "pause"],
  [/\bc(?:ame|omes?) back\b/i, "bounced, was returned"],
  [/\bgave up\b|\bgiven up\b/i, "failed"],
  [/\btake(?:s|n)? (?:in|over|them in)\b|\btook over\b/i, "import"],
  [/\banew\b|\bonce more\b/i, "again"],
  [/\bnobody\b|\bsomebody\b|\bwhoever\b/i, "no one, someone; better: name who it is"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix, correct"],
  [/\bchoose\b|\bchosen\b|\bchose\b/i, "select"],
  [/\blook(?:s|ed)? for\b/i, "search"],
  [/\bclients?\b/i, "store"],
  [/\bshops?\b/i, "store"],
  [/\bfaults?\b/i, "error, issue"],
  [/\bjudged?\b/i, "check, validate, moderate"],
  [/\brehears(?:e|al)/i, "simulate, simulation"],
  [/\bquarantine\b/i, "minimum days between emails"],
  [/\bcolour|\bcatalogue\b|\bcancelled\b|\bnormali[s]ed\b/i, "US spelling"],
  [/ …/, "the ellipsis directly after the word"],
];

/** Where a word is right: a name that others gave, or a value. */
const allowed = [
  /\{[^{}]*\}/g, // parameters
  /https?:\S+|\S+@\S+|\b[\w-]+\.(?:example|com)\b/g,
  /\bmail server\b/gi,
];

const folder = path.join(import.meta.dirname, "messages/en");

/** The texts of a message: without parameters and the syntax of plurals. */
const textsOf = (messages: unknown, place = ""): [place: string, text: string][] =>
  typeof messages === "string"
    ? [[place, messages]]
    : Object.entries(messages as object).flatMap(([key, value]) => textsOf(value, place ? `${place}.${key}` : key));

describe.each(readdirSync(folder))("English of %s", (file) => {
  const texts = textsOf(JSON.parse(readFileSync(path.join(folder, file), "utf8")));

  it("uses the field's words", () => {
    const found = texts.flatMap(([place, text]) => {
      const plain = allowed.reduce((left, each) => left.replace(each, " "), text);
      return banned
        .filter(([words]) => words.test(plain))
        .map(([words, instead]) => `${place}: “${text}” has “${words.exec(plain)?.[0]}”; write: ${instead}`);
    });
    expect(found).toEqual([]);
  });
});
