import { IntlMessageFormat } from "intl-messageformat";

type Element = ReturnType<IntlMessageFormat["getAst"]>[number];

/** The names of a message's parameters, sorted. */
export function messageParams(message: string): string[] {
  const found = new Set<string>();
  const visit = (elements: Element[]): void => {
    for (const element of elements) {
      // A literal's value is its text; the `#` of a plural has none.
      if ("value" in element && element.type !== 0) found.add(element.value);
      if ("options" in element) for (const { value } of Object.values(element.options)) visit(value);
    }
  };
  visit(new IntlMessageFormat(message, "en", undefined, { ignoreTag: true }).getAst());
  return [...found].sort();
}
