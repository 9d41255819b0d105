/** Creates elements: DOM nodes in the browser, HTML on the server. Both show the same, through the same views. */

type Value = string | number | boolean | null | undefined;
/** Names that start with `on` are listeners, which HTML leaves out; null and false omit an attribute. */
export type Attributes = Record<string, Value | ((event: Event) => unknown)>;
/** Strings are text, whatever they contain: never parsed as markup. */
export type Child<T> = T | string | number | null | undefined | false | Child<T>[];

export type CreateElement<T> = (tag: string, attributes?: Attributes | null, ...children: Child<T>[]) => T;

/** The attributes to set, as strings. Omits a URL with another scheme than http(s), such as `javascript:`. */
export const htmlAttributes = (attributes: Attributes | null | undefined): [name: string, value: string][] =>
  Object.entries(attributes ?? {}).flatMap(([name, value]): [string, string][] =>
    value == null ||
    value === false ||
    typeof value === "function" ||
    (/^(href|src)$/.test(name) && !/^https?:/i.test(`${value}`))
      ? []
      : [[name, value === true ? "" : `${value}`]],
  );
