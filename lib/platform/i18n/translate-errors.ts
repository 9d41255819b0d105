import type { Language } from "@/lib/platform/i18n/languages";
import { messageFormatter } from "@/lib/platform/i18n/message-formatter";
import type { Params } from "@/lib/platform/issue";

/** An issue as an answer holds it. An older server gives no reason: its message is shown as it is. */
export type PublicIssue = { reason?: string | null; params?: Params | null; message: string; field?: string | null };
export type TranslateError = (issue: PublicIssue) => string;
/** Several as one text. */
export type TranslateNotices = (notices: readonly PublicIssue[]) => string;

const loaded = new Map<Language, Promise<TranslateError>>();

/**
 * Errors in a language. Each language is a script of its own, loaded when something went wrong. What only programs meet has
 * no translation and stays in the API's English.
 */
export function translateErrors(language: Language): Promise<TranslateError> {
  const known = loaded.get(language);
  if (known) return known;
  const made = import(`./messages/${language}/errors.json`).then(({ default: catalogue }): TranslateError => {
    const format = messageFormatter(language, catalogue);
    return ({ reason, params, message }) => {
      try {
        return (reason ? format(reason, { field: "It", ...params }) : null) ?? message;
      } catch {
        return message; // a server of another release, whose parameters are others
      }
    };
  });
  made.catch(() => loaded.delete(language));
  loaded.set(language, made);
  return made;
}

/** What runs and deliveries report. Away from its field a sentence has to say what it is about, unless it names that. */
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
