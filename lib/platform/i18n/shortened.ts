import { IntlMessageFormat } from "intl-messageformat";
import type { ShortMessage, ShortMessages } from "@/lib/platform/i18n/short-text";
import type { Messages } from "@/lib/platform/i18n/translator";

export type { ShortMessages };

type Element = ReturnType<IntlMessageFormat["getAst"]>[number];

/** The messages of some namespaces, parsed here so that the browser need not. Throws for what `shortText` cannot format. */
export function shortened(messages: Messages, namespaces: readonly string[]): ShortMessages<string> {
  return Object.fromEntries(
    namespaces.flatMap((namespace) =>
      Object.entries(messages[namespace] ?? {}).map(([key, message]) => {
        const name = `${namespace}.${key}`;
        return [name, shorten(name, new IntlMessageFormat(message, "en", undefined, { ignoreTag: true }).getAst())];
      }),
    ),
  );
}

function shorten(name: string, elements: Element[]): ShortMessage {
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
  if (element.type === 0) return element.value;
  if (element.type === 1 || (element.type === 2 && !element.style)) return `{${element.value}}`;
  if (element.type === 7) return "{n}";
  throw new Error(`${name}: the browser formats only places, and plurals of n`);
}
