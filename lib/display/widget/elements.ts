/** How elements are made: in the browser as such, on the server as HTML. Both show the same, by the same views. */

type Value = string | number | boolean | null | undefined;
/** Names that begin with `on` hold listeners, which HTML leaves out; null and false leave an attribute out. */
export type Attributes = Record<string, Value | ((event: Event) => unknown)>;
/** Texts are texts, whatever they hold: nothing here reads markup. */
export type Child<T> = T | string | number | null | undefined | false | Child<T>[];

export type CreateElement<T> = (tag: string, attributes?: Attributes | null, ...children: Child<T>[]) => T;

/** The attributes to set, as texts. An address that is none of the web's (`javascript:`) is left out. */
export const htmlAttributes = (attributes: Attributes | null | undefined): [name: string, value: string][] =>
  Object.entries(attributes ?? {}).flatMap(([name, value]): [string, string][] =>
    value == null ||
    value === false ||
    typeof value === "function" ||
    (/^(href|src)$/.test(name) && !/^https?:/i.test(`${value}`))
      ? []
      : [[name, value === true ? "" : `${value}`]],
  );
