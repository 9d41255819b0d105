import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, it } from "vitest";

// English words that aren't the field's, each with a replacement. Address the reader as "you"; things have a status;
// emails are sent.

const banned: [words: RegExp, instead: string][] = [
  [/\be-mails?\b|\bmails?\b|\bmailed\b|\bmailing\b/i, "email"],
  [/\blog-?in\b|\blog-?out\b/i, "sign in, sign out"],
  [/\buser name\b/i, "username"],
  [/\btold\b|\btells\b|\btelling\b/i, "show, send, deliver, notify"],
  [/\bhears?\b|\bheard\b/i, "receives, is subscribed to"],
  [/\bstands?\b|\bstood\b/i, "is, is shown"],
  [/\bwaits\b|\bbeen waiting\b|\bwaiting\b(?! for)/i, "pending, queued"],
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

/** Exceptions: names and values from elsewhere. */
const allowed = [/https?:\S+|\S+@\S+|\b[\w-]+\.(?:example|com)\b/g, /\bmail server\b/gi];
/** Errors for programs use the API's terms. */
const ofPrograms = (words: RegExp) => words.source.includes("client");

const folder = path.join(import.meta.dirname, "messages/en");

const messagesOf = (messages: unknown, place = ""): [place: string, message: string][] =>
  typeof messages === "string"
    ? [[place, messages]]
    : Object.entries(messages as object).flatMap(([key, value]) => messagesOf(value, place ? `${place}.${key}` : key));

type Element = ReturnType<IntlMessageFormat["getAst"]>[number];
/** The readable text of a message: parameters become `x`, plural forms are joined. */
function textOf(elements: Element[]): string {
  return elements
    .map((element) => {
      if ("options" in element)
        return Object.values(element.options)
          .map(({ value }) => textOf(value))
          .join(" | ");
      return element.type === 0 ? element.value : "x";
    })
    .join("");
}

describe.each(readdirSync(folder))("English of %s", (file) => {
  const messages = messagesOf(JSON.parse(readFileSync(path.join(folder, file), "utf8")));

  it("uses the field's words", () => {
    const found = messages.flatMap(([place, message]) => {
      const text = textOf(new IntlMessageFormat(message, "en").getAst());
      const plain = allowed.reduce((left, each) => left.replace(each, " "), text);
      return banned
        .filter(([words]) => words.test(plain) && !(file === "program-errors.json" && ofPrograms(words)))
        .map(([words, instead]) => `${place}: “${text}” has “${words.exec(plain)?.[0]}”; write: ${instead}`);
    });
    expect(found).toEqual([]);
  });
});
