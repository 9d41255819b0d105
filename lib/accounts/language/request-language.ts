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

/** Stores the language selected on pages outside the portal. */
export const LANGUAGE_COOKIE = "candor-language";

/** The language for this request: the person's setting, else this browser's cookie, else its Accept-Language header. */
export const requestLanguage = cache(async (): Promise<Language> => {
  // If the look-up fails, the page reports that itself, in the browser's language.
  const person = await currentActor().catch(() => null);
  const chosen = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  return languageOf(person?.language, chosen, ...acceptedLanguages((await headers()).get("accept-language")));
});

/** Messages in the page's language, created once per request. */
export const translations = cache(async (): Promise<Translate> => portalText(await requestLanguage()));

/** Translates issues for the page. */
export const errorTranslator = cache(async (): Promise<TranslateError> => translateErrors(await requestLanguage()));

/** An error's text in the page's language. */
export async function errorMessageOf({ issues }: AppError): Promise<string> {
  const translate = await errorTranslator();
  return issues.map((issue) => translate(toPublicIssue(issue))).join(" ");
}

/** Translates notices of runs, deliveries and imports for the page. */
export const noticeTranslator = cache(async (): Promise<TranslateNotices> => translateNotices(await requestLanguage()));

/** Some namespaces in the reader's language, for components in the browser. */
export async function messagesFor(
  ...names: Namespace[]
): Promise<{ language: Language; messages: Partial<CompactMessages<MessageKey>> }> {
  const language = await requestLanguage();
  return { language, messages: compactMessagesOf(language, "portal", names) };
}

/**
 * A page's title after the name of a stored thing, which `nameOf` loads with the page's guard. Without a name if that
 * throws: then the page itself redirects or responds with the error.
 */
export const namedMetadata = async (title: MessageKey, nameOf: () => Promise<string>): Promise<Metadata> =>
  titleMetadata(title, await nameOf().catch(() => undefined));

/** A page's title in the reader's language, after the name of the thing that it's about. */
export async function titleMetadata(title: MessageKey, thing?: string): Promise<Metadata> {
  const name = (await translations())(title);
  return { title: thing === undefined ? name : `${thing} · ${name}` };
}
