import type { Language } from "@/lib/platform/i18n/languages";
import { messageFormatter } from "@/lib/platform/i18n/message-formatter";
import type { Params } from "@/lib/platform/issue";

/** An issue in a response. An older server sends no reason: its message is shown unchanged. */
export type PublicIssue = { reason?: string | null; params?: Params | null; message: string; field?: string | null };
export type TranslateError = (issue: PublicIssue) => string;
/** Joins several issues to one text. */
export type TranslateNotices = (notices: readonly PublicIssue[]) => string;

const loaded = new Map<Language, Promise<TranslateError>>();

/**
 * Translates errors to a language. Each language is a separate script, loaded on the first error. Errors of API clients
 * only have no translation and stay in English.
 */
export function translateErrors(language: Language): Promise<TranslateError> {
  const known = loaded.get(language);
  if (known) return known;
  const made = import(`./messages/${language}/errors.json`).then(({ default: messages }): TranslateError => {
    const format = messageFormatter(language, messages);
    return ({ reason, params, message }) => {
      try {
        return (reason ? format(reason, { field: "It", ...params }) : null) ?? message;
      } catch {
        return message; // a server of another release may send other parameters
      }
    };
  });
  made.catch(() => loaded.delete(language));
  loaded.set(language, made);
  return made;
}

/**
 * Translates messages of runs and deliveries. Shown away from its field, a message gets the field's name unless it
 * contains its own subject.
 */
export async function translateNotices(language: Language): Promise<TranslateNotices> {
  const { fieldNames } = await import("@/lib/platform/i18n/field-names");
  const [translate, { withField }] = await Promise.all([translateErrors(language), fieldNames(language)]);
  return (notices) =>
    notices
      .map((notice) => {
        const { field, message } = notice;
        const text = translate(notice);
        return field && message.startsWith(`${field} `) ? withField(field, text) : text;
      })
      .join(" ");
}
