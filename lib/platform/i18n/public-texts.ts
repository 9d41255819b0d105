import type { CompactMessages, CompactTexts } from "@/lib/platform/i18n/compact-formatter";
import { toCompactMessages } from "@/lib/platform/i18n/compact-messages";
import type { Language } from "@/lib/platform/i18n/languages";
import { localeOf } from "@/lib/platform/i18n/languages";
import { allMessages, compactMessagesOf } from "@/lib/platform/i18n/messages";
import {
  type EmailMessages,
  type KeyOf,
  type Messages,
  type PublicMessages,
  type TranslateText,
  textTranslator,
} from "@/lib/platform/i18n/translator";

// What shoppers read, and every email. Server only.

export type PublicText = TranslateText<PublicMessages>;
export type EmailText = TranslateText<EmailMessages>;

/** One translator per language, kept: parsing a message costs more than formatting it. */
function perLanguage<M extends Messages>(
  messagesOf: (language: Language) => M,
): (language: Language) => TranslateText<M> {
  const made = new Map<Language, TranslateText<M>>();
  return (language) => {
    const known = made.get(language);
    if (known) return known;
    const translate = textTranslator(language, messagesOf(language));
    made.set(language, translate);
    return translate;
  };
}

/** The texts of forms, links' pages and the widget in a language. */
export const publicText = perLanguage<PublicMessages>((language) => allMessages[language].public);
/** The texts of emails in a language, and of the pages that turn them off. */
export const emailText = perLanguage<EmailMessages>((language) => allMessages[language].emails);

/** The messages of some namespaces as a browser formats them (`compactFormatter`), in one language. */
export function compactTextsOf<N extends keyof PublicMessages>(
  language: Language,
  ...namespaces: N[]
): CompactTexts<KeyOf<Pick<PublicMessages, N>>> {
  const messages = compactMessagesOf(language, "public", namespaces);
  return { locale: localeOf(language), messages: messages as CompactMessages<KeyOf<Pick<PublicMessages, N>>> };
}

const widget = new Map<Language, CompactMessages<keyof PublicMessages["widget"]>>();

/** Those of the widget. Its keys travel without their namespace, which is the same for all: every byte of it counts. */
export function widgetMessages(language: Language): CompactMessages<keyof PublicMessages["widget"]> {
  const messages = widget.get(language) ?? toCompactMessages(allMessages[language].public.widget);
  widget.set(language, messages);
  return messages;
}
