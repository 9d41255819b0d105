import { createElement, Fragment, type ReactNode } from "react";
import { fill, type Language } from "@/lib/platform/i18n/languages";

// What the portal says, in the language of whoever reads it. English stands where it is said; the other languages are
// looked up by it (`rooms/`), and what nobody has translated yet is said in English.

/** Texts of one language by their English ones. */
export type Dictionary = Readonly<Record<string, string>>;

type Value = string | number;

/**
 * Says an English text in the reader's language. Places such as `{name}` are filled; numbers are written as the language
 * writes them. A text with a `|` has a form for one and one for several: `{n} review|{n} reviews`, chosen by `n`. Where
 * other languages have several words for an English one, what is meant stands behind a `§`: `Cancel§item`.
 */
export type Words = {
  (text: string, values?: Record<string, Value>): string;
  /** with pieces of a page in its places */
  rich: (text: string, values: Record<string, ReactNode>) => ReactNode;
  language: Language;
  /** the language as `Intl` wants it */
  locale: string;
};

export const localeOf = (language: Language): string => (language === "en" ? "en-GB" : language);

/** The form of a text for a number, by the language's own rule. French counts none as one, others do not. */
function formFor(text: string, n: unknown, locale: string): string {
  if (typeof n !== "number" || !text.includes("|")) return text;
  const rules = plurals.get(locale) ?? new Intl.PluralRules(locale);
  plurals.set(locale, rules);
  const forms = text.split("|");
  return (rules.select(n) === "one" ? forms[0] : forms.at(-1)) ?? text;
}
const plurals = new Map<string, Intl.PluralRules>();

/** How a language is spoken, given what of it is known. English needs no dictionary. */
export function wordsOf(language: Language, dictionary: Dictionary): Words {
  const locale = localeOf(language);
  // Making one takes far longer than using it.
  let numbers: Intl.NumberFormat | undefined;
  const written = (value: Value): Value => {
    if (typeof value !== "number") return value;
    numbers ??= new Intl.NumberFormat(locale);
    return numbers.format(value);
  };
  const found = (text: string, n: unknown): string => {
    const own = Object.hasOwn(dictionary, text) ? dictionary[text] : undefined;
    // What is said in English is counted in English.
    return own === undefined ? formFor(text.replace(/(?<=\S)§[a-z ]+$/, ""), n, "en-GB") : formFor(own, n, locale);
  };
  const say = (text: string, values: Record<string, Value> = {}): string =>
    fill(
      found(text, values.n),
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, written(value)])),
    );
  const rich = (text: string, values: Record<string, ReactNode>): ReactNode =>
    found(text, values.n)
      .split(/(\{\w+\})/)
      .map((part, index) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        const value = name !== undefined && Object.hasOwn(values, name) ? values[name] : part;
        return createElement(Fragment, { key: index }, typeof value === "number" ? written(value) : value);
      });
  return Object.assign(say, { rich, language, locale });
}

/** English, as it stands in the pages. */
export const english = wordsOf("en", {});
