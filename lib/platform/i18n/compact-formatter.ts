/**
 * A message that needs no parser: a text with placeholders such as `{name}`, or one per plural form of `{n}`. Public
 * pages and the widget format these in the browser, so that a store's visitors don't load use-intl, which is larger
 * than the whole widget.
 */
export type CompactMessage = string | { readonly [form in Intl.LDMLPluralRule]?: string };
export type CompactMessages<Key extends string> = Readonly<Record<Key, CompactMessage>>;
/** Messages for a browser: the locale, and texts by `namespace.key`. */
export type CompactTexts<Key extends string> = { locale: string; messages: CompactMessages<Key> };
export type CompactFormatter<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

/** Formats compact messages, with numbers in `locale`. */
export function compactFormatter<Key extends string>(
  locale: string,
  messages: CompactMessages<Key>,
): CompactFormatter<Key> {
  const plural = new Intl.PluralRules(locale);
  return (key, values = {}) => {
    const message = messages[key];
    const text = typeof message === "string" ? message : (message[plural.select(values.n as number)] ?? message.other);
    // `toLocaleString` of a string returns it unchanged.
    return (text as string).replace(/{(\w+)}/g, (place, name) => values[name]?.toLocaleString(locale) ?? place);
  };
}
