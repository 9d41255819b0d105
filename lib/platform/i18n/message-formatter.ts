import type { Language } from "@/lib/platform/i18n/languages";
import { textTranslator } from "@/lib/platform/i18n/translator";
import type { Params } from "@/lib/platform/issue";

/** A file of `messages/` without namespaces: ICU MessageFormat by key. */
export type MessageCatalog = Readonly<Record<string, string>>;

/** Formats messages whose keys come from data, such as errors. Null for an unknown key. */
export function messageFormatter(language: Language, catalog: MessageCatalog) {
  const translate = textTranslator(language, { all: catalog });
  return (key: string, params: Params): string | null =>
    Object.hasOwn(catalog, key) ? translate(`all.${key}`, params as Record<string, string | number>) : null;
}
