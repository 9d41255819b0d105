/**
 * A message that needs no parser: a text with places such as `{name}`, or one for each plural form of `{n}`. Public pages and
 * the widget format these in the browser: a shop's visitors should not load use-intl, which weighs more than the whole widget.
 */
export type ShortMessage = string | { readonly [form in Intl.LDMLPluralRule]?: string };
export type ShortMessages<Key extends string> = Readonly<Record<Key, ShortMessage>>;
export type ShortText<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

/** Formats shortened messages; numbers as `locale` writes them. */
export function shortText<Key extends string>(locale: string, messages: ShortMessages<Key>): ShortText<Key> {
  const plural = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);
  return (key, values = {}) => {
    const message = messages[key];
    const text = typeof message === "string" ? message : (message[plural.select(Number(values.n))] ?? message.other);
    return `${text}`.replace(/\{(\w+)\}/g, (place, name) => {
      const value = values[name] ?? place;
      return typeof value === "number" ? number.format(value) : value;
    });
  };
}
