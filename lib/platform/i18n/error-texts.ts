import { IntlMessageFormat } from "intl-messageformat";
import type { Language } from "@/lib/platform/i18n/languages";
import { localeOf } from "@/lib/platform/i18n/rules";
import type { Params } from "@/lib/platform/issue";

/** A file of `messages/`: ICU MessageFormat by key. */
export type Catalogue = Readonly<Record<string, string>>;

/** Formats the messages of a catalogue; null for a key that it lacks. What takes time is done once for each message. */
export function errorTexts(language: Language, catalogue: Catalogue) {
  const parsed = new Map<string, IntlMessageFormat>();
  return (key: string, params: Params): string | null => {
    const message = Object.hasOwn(catalogue, key) ? catalogue[key] : undefined;
    if (message === undefined) return null;
    let format = parsed.get(key);
    if (!format) {
      format = new IntlMessageFormat(message, localeOf(language), undefined, { ignoreTag: true });
      parsed.set(key, format);
    }
    return String(format.format({ ...params }));
  };
}
