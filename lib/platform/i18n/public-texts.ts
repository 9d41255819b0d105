import type { CompactMessages, CompactTexts } from "@/lib/platform/i18n/compact-formatter";
import { toCompactMessages } from "@/lib/platform/i18n/compact-messages";
import type { Language } from "@/lib/platform/i18n/languages";
import { allMessages, compactMessagesOf } from "@/lib/platform/i18n/messages";
import {
  type EmailMessages,
  type KeyOf,
  type Messages,
  type PublicMessages,
  type TranslateText,
  textTranslator,
} from "@/lib/platform/i18n/translator";

// Texts for shoppers, and of every email. Server only.

export type PublicText = TranslateText<PublicMessages>;
export type EmailText = TranslateText<EmailMessages>;

/** Caches one translator per language, since parsing a message is slower than formatting it. */
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

/** The texts of forms, pages of email links and the widget in a language. */
export const publicText = perLanguage<PublicMessages>((language) => allMessages[language].public);
/** The texts of emails and unsubscribe pages in a language. */
export const emailText = perLanguage<EmailMessages>((language) => allMessages[language].emails);

/** The messages of some namespaces in the browser's format (`compactFormatter`), in one language. */
export function compactTextsOf<N extends keyof PublicMessages>(
  language: Language,
  ...namespaces: N[]
): CompactTexts<KeyOf<Pick<PublicMessages, N>>> {
  const messages = compactMessagesOf(language, "public", namespaces);
  return { locale: language, messages: messages as CompactMessages<KeyOf<Pick<PublicMessages, N>>> };
}

const widget = new Map<Language, CompactMessages<keyof PublicMessages["widget"]>>();

/** The widget's messages. Keys omit their common namespace to save bytes. */
export function widgetMessages(language: Language): CompactMessages<keyof PublicMessages["widget"]> {
  const messages = widget.get(language) ?? toCompactMessages(allMessages[language].public.widget);
  widget.set(language, messages);
  return messages;
}
