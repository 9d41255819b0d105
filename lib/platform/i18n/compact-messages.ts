import { IntlMessageFormat } from "intl-messageformat";
import type { CompactMessage, CompactMessages } from "@/lib/platform/i18n/compact-formatter";

type Element = ReturnType<IntlMessageFormat["getAst"]>[number];

/**
 * Parses the messages of a namespace, so that the browser needs no parser. Throws for messages that `compactFormatter`
 * can't format.
 */
export const toCompactMessages = <Key extends string>(messages: Readonly<Record<Key, string>>): CompactMessages<Key> =>
  Object.fromEntries(
    Object.entries<string>(messages).map(([key, message]) => [
      key,
      toCompactMessage(key, new IntlMessageFormat(message, "en", undefined, { ignoreTag: true }).getAst()),
    ]),
  ) as CompactMessages<Key>;

function toCompactMessage(name: string, elements: Element[]): CompactMessage {
  const [first] = elements;
  if (first && "options" in first && "pluralType" in first && elements.length === 1 && first.value === "n")
    return Object.fromEntries(
      Object.entries(first.options).map(([form, { value }]) => [
        form,
        value.map((each) => placeOf(name, each)).join(""),
      ]),
    );
  return elements.map((each) => placeOf(name, each)).join("");
}

/** Types of elements: 0 literal, 1 argument, 2 number, 7 the `#` of a plural. */
function placeOf(name: string, element: Element): string {
  if (element.type === 0) {
    if (/\{\w+\}/.test(element.value))
      throw new Error(`${name}: a quoted {…} isn't supported: the browser treats it as a placeholder`);
    return element.value;
  }
  if (element.type === 1 || (element.type === 2 && !element.style)) return `{${element.value}}`;
  if (element.type === 7) return "{n}";
  throw new Error(`${name}: the browser formats only placeholders and plurals of n`);
}
