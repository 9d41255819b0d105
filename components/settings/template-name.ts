import { languageName } from "@/components/settings/language-name";
import { english, type Words } from "@/lib/platform/i18n/rules";

const parts: Record<string, string> = {
  subject: "Subject",
  html_template: "HTML",
  text_template: "Plain text",
};

/** What a template is called, by its place: `config.templates.de.subject` is `Subject, German`. */
export function templateName(field: string, t: Words = english): string {
  const [, language, part] = /^(?:config\.)?(?:templates\.(\w+)\.)?(\w+)$/.exec(field) ?? [];
  const name = parts[part ?? ""];
  if (!name) return field;
  return language
    ? t("{name}, {language}", {
        name: t(name),
        language: languageName(language, t.locale),
      })
    : t(name);
}
