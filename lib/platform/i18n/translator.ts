import { createElement, Fragment, isValidElement, type ReactNode } from "react";
import { createTranslator } from "use-intl/core";
import type { Language } from "@/lib/platform/i18n/languages";
import type emails from "@/lib/platform/i18n/messages/en/emails.json";
import type portal from "@/lib/platform/i18n/messages/en/portal.json";
import type publicFile from "@/lib/platform/i18n/messages/en/public.json";

/** A file of `messages/` with namespaces: ICU MessageFormat by namespace and key. */
export type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>;
/** `namespace.key` of a message. */
export type KeyOf<M> = { [N in keyof M & string]: `${N}.${keyof M[N] & string}` }[keyof M & string];

/** The portal's messages of one language. */
export type PortalMessages = typeof portal;
export type PublicMessages = typeof publicFile;
export type EmailMessages = typeof emails;
export type Namespace = keyof PortalMessages;
export type MessageKey = KeyOf<PortalMessages>;

export type Values = Record<string, string | number>;
/** Formats a message with text and number values. */
export type TranslateText<M> = (key: KeyOf<M>, values?: Values) => string;

/**
 * Formats a message in the reader's language: `t("orders.count", { n })`. Numbers, plurals and dates follow the message
 * (`{n, number}`, `{n, plural, …}`).
 */
export type Translate = {
  (key: MessageKey, values?: Values): string;
  /** with React elements as values */
  rich: (key: MessageKey, values: Record<string, ReactNode>) => ReactNode;
  /** also the locale for numbers and names in `Intl`; dates and lists are formatted by `format.ts` */
  language: Language;
};

// KeyOf checks the keys. The library's own key type would be computed from 2,000 messages at each call.
// biome-ignore lint/suspicious/noExplicitAny: see above
type LibraryMessages = any;

/** Formats the messages of one file in a language as text. Throws for a missing message or value. */
export function textTranslator<M extends Messages>(language: Language, messages: M): TranslateText<M> {
  const translate = createTranslator<LibraryMessages>({
    locale: language,
    messages,
    onError: (error) => {
      throw error;
    },
  });
  return (key: string, values?: Values) => translate(key, values);
}

/** Creates a translator. `messages` may contain only the needed namespaces. */
export function translator(language: Language, messages: Partial<PortalMessages>): Translate {
  const translate = createTranslator<LibraryMessages>({ locale: language, messages });
  const text = (key: MessageKey, values?: Values): string => translate(key, values);
  const rich = (key: MessageKey, values: Record<string, ReactNode>): ReactNode =>
    translate.rich(
      key,
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          isValidElement(value) ? createElement(Fragment, { key: name }, value) : value,
        ]),
      ) as Values,
    );
  return Object.assign(text, { rich, language });
}
