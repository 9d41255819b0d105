import type { CompactMessages } from "@/lib/platform/i18n/compact-formatter";
import { toCompactMessages } from "@/lib/platform/i18n/compact-messages";
import { messages } from "@/lib/platform/i18n/generated/messages";
import type { Language } from "@/lib/platform/i18n/languages";
import {
  type EmailMessages,
  type Messages,
  type PortalMessages,
  type PublicMessages,
  type Translate,
  translator,
} from "@/lib/platform/i18n/translator";

// Server only: contains all languages, since any request may need any of them.

/** The message files by language. */
export const allMessages: Record<Language, { emails: EmailMessages; portal: PortalMessages; public: PublicMessages }> =
  messages;

const translators = new Map<Language, Translate>();

/** The portal's translator for a language. Cached, since parsing a message is slower than formatting it. */
export function portalText(language: Language): Translate {
  const known = translators.get(language);
  if (known) return known;
  const made = translator(language, allMessages[language].portal);
  translators.set(language, made);
  return made;
}

const short = new Map<string, CompactMessages<string>>();

/** Some namespaces of a file in the browser's format (`compactFormatter`), by `namespace.key`. */
export function compactMessagesOf<F extends "portal" | "public">(
  language: Language,
  file: F,
  names: readonly (keyof (typeof allMessages)[Language][F] & string)[],
): CompactMessages<string> {
  const place = [language, file, ...names].join();
  const messages: Messages = allMessages[language][file];
  const known =
    short.get(place) ??
    Object.fromEntries(
      names.flatMap((name) =>
        Object.entries(toCompactMessages<string>(messages[name] ?? {})).map(([key, message]) => [
          `${name}.${key}`,
          message,
        ]),
      ),
    );
  short.set(place, known);
  return known;
}
