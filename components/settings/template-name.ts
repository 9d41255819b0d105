import { languageName } from "@/components/settings/language-name";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

const parts: Record<string, MessageKey> = {
  subject: "emailPreview.subject",
  html_template: "emailPreview.html",
  text_template: "emailPreview.plainText",
};

/** A template's name by its field: `config.templates.de.subject` is `Subject, German`, `blocks.de.…` is `Blocks, German`. */
export function templateName(field: string, t: Translate): string {
  const blocks = /^blocks\.(\w+)/.exec(field)?.[1];
  if (blocks !== undefined)
    return blocks === "all"
      ? t("templates.blocks")
      : t("settings.nameWithLanguage", { name: t("templates.blocks"), language: languageName(blocks, t.language) });
  const [, language, part] = /^(?:config\.)?(?:templates\.(\w+)\.)?(\w+)$/.exec(field) ?? [];
  const name = parts[part ?? ""];
  if (!name) return field;
  return language
    ? t("settings.nameWithLanguage", {
        name: t(name),
        language: languageName(language, t.language),
      })
    : t(name);
}
