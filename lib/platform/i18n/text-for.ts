import type { MessageKey, Translate, Values } from "@/lib/platform/i18n/translator";

/** The message of a name in a table; undefined for a name that the table lacks, as of a newer version. */
export function textFor(
  messages: Readonly<Partial<Record<string, MessageKey>>>,
  name: string,
  t: Translate,
  values?: Values,
): string | undefined {
  const key = Object.hasOwn(messages, name) ? messages[name] : undefined;
  return key && t(key, values);
}
