import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { cache } from "react";
import { currentActor } from "@/lib/accounts/sign-in/current-actor";
import { type AppError, toPublicIssue } from "@/lib/platform/errors";
import type { CompactMessages } from "@/lib/platform/i18n/compact-formatter";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { compactMessagesOf, portalText } from "@/lib/platform/i18n/messages";
import {
  type TranslateError,
  type TranslateNotices,
  translateErrors,
  translateNotices,
} from "@/lib/platform/i18n/translate-errors";
import type { MessageKey, Namespace, Translate } from "@/lib/platform/i18n/translator";

/** The cookie that remembers the language somebody chose in front of the portal. */
export const LANGUAGE_COOKIE = "candor-language";

/** The language of whoever asks: their own setting, else what this browser was told, else what it wishes for. */
export const requestLanguage = cache(async (): Promise<Language> => {
  // Where nobody can be looked up, the page says so itself, in the language that the browser wishes for.
  const person = await currentActor().catch(() => null);
  const chosen = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  return languageOf(person?.language, chosen, ...acceptedLanguages((await headers()).get("accept-language")));
});

/** Messages in the language of the page; made once a request. */
export const translations = cache(async (): Promise<Translate> => portalText(await requestLanguage()));

/** How the page says issues. */
export const errorTranslator = cache(async (): Promise<TranslateError> => translateErrors(await requestLanguage()));

/** What an error says, in the language of the page. */
export async function errorMessageOf({ issues }: AppError): Promise<string> {
  const translate = await errorTranslator();
  return issues.map((issue) => translate(toPublicIssue(issue))).join(" ");
}

/** How the page says what runs, deliveries and imports tell. */
export const noticeTranslator = cache(async (): Promise<TranslateNotices> => translateNotices(await requestLanguage()));

/** Some namespaces in the reader's language, for components in the browser. */
export async function messagesFor(
  ...names: Namespace[]
): Promise<{ language: Language; messages: Partial<CompactMessages<MessageKey>> }> {
  const language = await requestLanguage();
  return { language, messages: compactMessagesOf(language, "portal", names) };
}

/** A page's title in the reader's language. */
export const titleMetadata = async (title: MessageKey): Promise<Metadata> => ({ title: (await translations())(title) });
