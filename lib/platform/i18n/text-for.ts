import type { MessageKey, Translate, Values } from "@/lib/platform/i18n/translator";

/** The message for a name in a table. Undefined for an unknown name, such as one of a newer version. */
export function textFor(
  messages: Readonly<Partial<Record<string, MessageKey>>>,
  name: string,
  t: Translate,
  values?: Values,
): string | undefined {
  const key = Object.hasOwn(messages, name) ? messages[name] : undefined;
  return key && t(key, values);
}
