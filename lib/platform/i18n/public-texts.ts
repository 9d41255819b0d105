import type { Language } from "@/lib/platform/i18n/languages";
import deEmails from "@/lib/platform/i18n/messages/de/emails.json";
import dePublic from "@/lib/platform/i18n/messages/de/public.json";
import enEmails from "@/lib/platform/i18n/messages/en/emails.json";
import enPublic from "@/lib/platform/i18n/messages/en/public.json";
import esEmails from "@/lib/platform/i18n/messages/es/emails.json";
import esPublic from "@/lib/platform/i18n/messages/es/public.json";
import frEmails from "@/lib/platform/i18n/messages/fr/emails.json";
import frPublic from "@/lib/platform/i18n/messages/fr/public.json";
import svEmails from "@/lib/platform/i18n/messages/sv/emails.json";
import svPublic from "@/lib/platform/i18n/messages/sv/public.json";
import type { ShortMessages, ShortTexts } from "@/lib/platform/i18n/short-text";
import { shortened } from "@/lib/platform/i18n/shortened";
import {
  type KeyOf,
  localeOf,
  type Messages,
  type TranslateText,
  textTranslator,
} from "@/lib/platform/i18n/translator";

// What shoppers read, and every email. Server only: all languages are here, since any request may need any of them.

export type PublicMessages = typeof enPublic;
export type EmailMessages = typeof enEmails;
export type PublicText = TranslateText<PublicMessages>;
export type EmailText = TranslateText<EmailMessages>;

const publicMessages = { en: enPublic, de: dePublic, fr: frPublic, es: esPublic, sv: svPublic };
const emailMessages = { en: enEmails, de: deEmails, fr: frEmails, es: esEmails, sv: svEmails };

/** One translator per language, kept: parsing a message costs more than formatting it. */
function perLanguage<M extends Messages>(messages: Record<Language, M>): (language: Language) => TranslateText<M> {
  const made = new Map<Language, TranslateText<M>>();
  return (language) => {
    const known = made.get(language);
    if (known) return known;
    const translate = textTranslator(language, messages[language]);
    made.set(language, translate);
    return translate;
  };
}

/** The texts of forms, links' pages and the widget in a language. */
export const publicText = perLanguage<PublicMessages>(publicMessages);
/** The texts of emails in a language, and of the pages that turn them off. */
export const emailText = perLanguage<EmailMessages>(emailMessages);

/** What `make` gives for each language and list of namespaces, made once. */
const short = new Map<string, ShortMessages<string>>();
function keptShort(name: string, make: () => ShortMessages<string>): ShortMessages<string> {
  const messages = short.get(name) ?? make();
  short.set(name, messages);
  return messages;
}

/** The messages of some namespaces as a browser formats them (`shortText`), in one language. */
export function shortTexts<N extends keyof PublicMessages>(
  language: Language,
  ...namespaces: N[]
): ShortTexts<KeyOf<Pick<PublicMessages, N>>> {
  const messages = keptShort([language, ...namespaces].join(), () =>
    Object.fromEntries(
      namespaces.flatMap((namespace) =>
        Object.entries(shortened<string>(publicMessages[language][namespace])).map(([key, message]) => [
          `${namespace}.${key}`,
          message,
        ]),
      ),
    ),
  );
  return { locale: localeOf(language), messages: messages as ShortMessages<KeyOf<Pick<PublicMessages, N>>> };
}

/** Those of the widget. Its keys travel without their namespace, which is the same for all: every byte of it counts. */
export const widgetMessages = (language: Language): ShortMessages<keyof PublicMessages["widget"]> =>
  keptShort(language, () => shortened(publicMessages[language].widget));
