/**
 * A message that needs no parser: a text with places such as `{name}`, or one for each plural form of `{n}`. Public pages and
 * the widget format these in the browser: a shop's visitors should not load use-intl, which weighs more than the whole widget.
 */
export type CompactMessage = string | { readonly [form in Intl.LDMLPluralRule]?: string };
export type CompactMessages<Key extends string> = Readonly<Record<Key, CompactMessage>>;
/** Messages for a browser: their locale, and the texts by `namespace.key`. */
export type CompactTexts<Key extends string> = { locale: string; messages: CompactMessages<Key> };
export type CompactFormatter<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

/** Formats shortened messages; numbers as `locale` writes them. */
export function compactFormatter<Key extends string>(
  locale: string,
  messages: CompactMessages<Key>,
): CompactFormatter<Key> {
  const plural = new Intl.PluralRules(locale);
  return (key, values = {}) => {
    const message = messages[key];
    const text = typeof message === "string" ? message : (message[plural.select(values.n as number)] ?? message.other);
    // A text's `toLocaleString` is the text.
    return (text as string).replace(/{(\w+)}/g, (place, name) => values[name]?.toLocaleString(locale) ?? place);
  };
}
