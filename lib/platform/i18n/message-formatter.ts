import { formatDay } from "@/lib/platform/i18n/format";
import type { Language } from "@/lib/platform/i18n/languages";
import { textTranslator } from "@/lib/platform/i18n/translator";
import type { Params } from "@/lib/platform/issue";

/** A file of `messages/` without namespaces: ICU MessageFormat by key. */
export type MessageCatalog = Readonly<Record<string, string>>;

/**
 * Formats messages whose keys come from data, such as errors. A parameter named `day` is a calendar day (`2026-03-08`)
 * and is written as in the portal. Null for an unknown key.
 */
export function messageFormatter(language: Language, catalog: MessageCatalog) {
  const translate = textTranslator(language, { all: catalog });
  return (key: string, params: Params): string | null => {
    if (!Object.hasOwn(catalog, key)) return null;
    const values = params as Record<string, string | number>;
    const { day } = values;
    return translate(`all.${key}`, typeof day === "string" ? { ...values, day: formatDay(day, language) } : values);
  };
}
