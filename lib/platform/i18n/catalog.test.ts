import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, it } from "vitest";
import { compactFormatter } from "@/lib/platform/i18n/compact-formatter";
import { languages } from "@/lib/platform/i18n/languages";
import { allMessages, compactMessagesOf } from "@/lib/platform/i18n/messages";
import portal from "@/lib/platform/i18n/messages/en/portal.json";
import { compactTextsOf, widgetMessages } from "@/lib/platform/i18n/public-texts";
import type { Namespace } from "@/lib/platform/i18n/translator";
import { rejectReasons } from "@/lib/reviews/decisions/schema";
import { messageParams } from "@/lib/tools/test/message-params";

const folder = path.join(import.meta.dirname, "messages");
const root = path.join(import.meta.dirname, "../../..");

/** A file's messages by `namespace.key`, or by `key` without namespaces. */
function read(language: string, file: string): Record<string, string> {
  const entries = Object.entries<unknown>(JSON.parse(readFileSync(path.join(folder, language, file), "utf8")));
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof value === "string"
        ? [[name, value]]
        : Object.entries(value as Record<string, string>).map(([key, message]) => [`${name}.${key}`, message]),
    ),
  );
}

const onlyEnglish = ["program-errors.json"];
const files = readdirSync(path.join(folder, "en")).filter((file) => !onlyEnglish.includes(file));
/** Files whose keys come from data: errors.json has its own tests, field-names.json falls back to a member's name. */
const keyedByData = ["errors.json", "field-names.json"];

describe.each(files)("%s", (file) => {
  const english = read("en", file);
  /** Only English errors contain their field. */
  const params = (message = "") => messageParams(message).filter((name) => file !== "errors.json" || name !== "field");

  it.each(languages)("is complete in %s, with the same parameters as in English", (language) => {
    const messages = read(language, file);
    expect(Object.keys(messages)).toEqual(Object.keys(english));
    for (const [key, message] of Object.entries(messages)) {
      expect([key, params(message)]).toEqual([key, params(english[key])]);
      expect(message.trim(), key).toBe(message);
      expect(message, key).not.toBe("");
    }
  });

  it("is sorted, with keys in camel case", () => {
    const parsed = JSON.parse(readFileSync(path.join(folder, "en", file), "utf8"));
    const levels = [parsed, ...Object.values(parsed)].filter((level) => typeof level === "object");
    for (const keys of levels.map((level) => Object.keys(level))) expect(keys).toEqual([...keys].sort());
    if (keyedByData.includes(file)) return;
    for (const key of Object.keys(english).filter((each) => !/^(reject|photo)Reason\./.test(each)))
      expect(key).toMatch(/^[a-z][a-zA-Z0-9]*\.[a-z][a-zA-Z0-9]*$/);
  });

  it("has non-breaking spaces around French punctuation", () => {
    for (const [key, message] of Object.entries(read("fr", file))) {
      // Ignore the delimiters of plural forms.
      const text = message.replace(/\{\w+, (number|plural|date)[^{}]*/g, "{");
      expect([key, text.match(/.?[^\u202f?!][;?!%](?!\w)/g)], "narrow no-break space before ; ? ! %").toEqual([
        key,
        null,
      ]);
      expect([key, text.match(/ [:»]|[^\u00a0]»|«[^\u00a0]/g)], "no-break space within « » and before :").toEqual([
        key,
        null,
      ]);
    }
  });
});

describe("the messages with namespaces", () => {
  const namespaced = files.filter((file) => !keyedByData.includes(file));

  it("have unique namespaces", () => {
    const names = namespaced.flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(path.join(folder, "en", file), "utf8"))),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  const sources = ["app", "components", "lib", "inngest"].flatMap((name) =>
    readdirSync(path.join(root, name), { recursive: true, encoding: "utf8" })
      .filter((each) => /\.tsx?$/.test(each) && !/\.test\.|generated/.test(each))
      .map((each) => ({ at: `${name}/${each}`, text: readFileSync(path.join(root, name, each), "utf8") })),
  );
  const usedKeys = new Set<string>(
    rejectReasons.flatMap((reason) => [`rejectReason.${reason}`, `photoReason.${reason}`]),
  );
  for (const { at, text } of sources) {
    for (const [, key = ""] of text.matchAll(/["'`]([a-z]\w*\.\w+)["'`]/g)) usedKeys.add(key);
    // The widget's keys have no namespace.
    if (at.startsWith("lib/display/widget/"))
      for (const [, key] of text.matchAll(/["']([a-z]\w*)["']/g)) usedKeys.add(`widget.${key}`);
  }

  it.each(namespaced)("of %s are all used", (file) => {
    expect(Object.keys(read("en", file)).filter((key) => !usedKeys.has(key))).toEqual([]);
  });
});

describe("messages for the browser", () => {
  it.each(languages)("are compact in %s, and formatted like by the library", (language) => {
    const { locale, messages } = compactTextsOf(language, "form", "reviewForm", "questionForm");
    const t = compactFormatter(locale, messages);
    const full = read(language, "public.json");
    const values = { n: 1234, number: 2, name: "{shop}", shop: "$& <b>", word: "x", incentive: "{n}" };
    for (const key of Object.keys(messages) as (keyof typeof messages)[])
      for (const n of [0, 1, 2, 1234]) {
        const format = new IntlMessageFormat(full[key] ?? "", locale, undefined, { ignoreTag: true });
        expect(t(key, { ...values, n })).toBe(format.format({ ...values, n }));
      }
    expect(Object.keys(widgetMessages(language))).toHaveLength(
      Object.keys(full).filter((key) => key.startsWith("widget.")).length,
    );
  });
});

it("contains only messages that the portal's browser can format", () => {
  for (const language of languages)
    expect(
      Object.keys(compactMessagesOf(language, "portal", Object.keys(portal) as Namespace[])).length,
    ).toBeGreaterThan(2_000);
});

it("quotes no angle bracket: the browser would show the quotes", () => {
  for (const language of languages)
    for (const [namespace, messages] of Object.entries(allMessages[language].portal))
      for (const [key, message] of Object.entries(messages))
        expect(message, `${language}: ${namespace}.${key}`).not.toMatch(/'[<>]/);
});

it("has a folder for each language and no others", () => {
  expect(readdirSync(folder).sort()).toEqual([...languages].sort());
});
