import { type Catalogue, errorTexts } from "@/lib/platform/i18n/error-texts";
import type { Language } from "@/lib/platform/i18n/languages";
import type { Params } from "@/lib/platform/issue";

/** An issue as the service tells it. An older server gives no reason: its message is shown as it is. */
export type ToldIssue = { reason?: string | null; params?: Params | null; message: string; field?: string | null };
export type TranslateError = (issue: ToldIssue) => string;
/** Says several as one text. */
export type TranslateNotices = (notices: readonly ToldIssue[]) => string;

// Each language is a script of its own, loaded when something went wrong.
const catalogues: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("@/lib/platform/i18n/messages/en/errors.json"),
  de: () => import("@/lib/platform/i18n/messages/de/errors.json"),
  fr: () => import("@/lib/platform/i18n/messages/fr/errors.json"),
  es: () => import("@/lib/platform/i18n/messages/es/errors.json"),
  sv: () => import("@/lib/platform/i18n/messages/sv/errors.json"),
};

const loaded = new Map<Language, Promise<TranslateError>>();

/** Says issues in a language. What only programs meet has no translation, and is told in the API's own English. */
export function translateErrors(language: Language): Promise<TranslateError> {
  const known = loaded.get(language);
  if (known) return known;
  const made = catalogues[language]().then(({ default: catalogue }): TranslateError => {
    const say = errorTexts(language, catalogue);
    return ({ reason, params, message }) => {
      try {
        return (reason ? say(reason, { field: "It", ...params }) : null) ?? message;
      } catch {
        return message; // a server of another release, whose parameters are others
      }
    };
  });
  made.catch(() => loaded.delete(language));
  loaded.set(language, made);
  return made;
}

/** Says what runs and deliveries tell. Away from its field a sentence has to say what it is about, unless it names that. */
export async function translateNotices(language: Language): Promise<TranslateNotices> {
  const [say, { issueAt }] = await Promise.all([translateErrors(language), import("@/lib/platform/i18n/places")]);
  return (notices) =>
    notices
      .map((notice) => {
        const [said, { field, message }] = [say(notice), notice];
        return field && message.startsWith(`${field} `) ? issueAt(language, field, said) : said;
      })
      .join(" ");
}
