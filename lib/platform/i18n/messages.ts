import { messages } from "@/lib/platform/i18n/generated/messages";
import type { Language } from "@/lib/platform/i18n/languages";
import type { ShortMessages } from "@/lib/platform/i18n/short-text";
import { shortened } from "@/lib/platform/i18n/shortened";
import type {
  EmailMessages,
  MessageKey,
  Namespace,
  PortalMessages,
  PublicMessages,
} from "@/lib/platform/i18n/translator";

// Server only: all languages are here, since any request may need any of them.

/** The files of messages by language. */
export const allMessages: Record<Language, { emails: EmailMessages; portal: PortalMessages; public: PublicMessages }> =
  messages;

export const portalMessages = (language: Language): PortalMessages => allMessages[language].portal;

/** Some namespaces of a file as browsers format them (`shortText`), by `namespace.key`. */
export function shortMessages(file: Partial<Record<string, Record<string, string>>>, names: readonly string[]) {
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(shortened<string>(file[name] ?? {})).map(([key, message]) => [`${name}.${key}`, message]),
    ),
  );
}

const kept = new Map<string, ShortMessages<string>>();

/** Some namespaces of the portal for its browser. */
export function portalTexts(language: Language, names: readonly Namespace[]): Partial<ShortMessages<MessageKey>> {
  const place = [language, ...names].join();
  const known = kept.get(place) ?? shortMessages(allMessages[language].portal, names);
  kept.set(place, known);
  return known;
}
