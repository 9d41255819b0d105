import { languageName } from "@/components/settings/language-name";
import type { Group } from "@/components/settings/settings-form";
import type { Language } from "@/lib/platform/i18n/languages";
import type { Translate } from "@/lib/platform/i18n/translator";

/** The templates of a language, or the default ones; `starters`: texts to start with. */
export function templateGroups(
  t: Translate,
  language: Language | null,
  starters: { html: string; text: string },
): Group[] {
  const at = <Part extends "subject" | "html_template" | "text_template">(part: Part) =>
    language === null ? (`config.${part}` as const) : (`config.templates.${language}.${part}` as const);
  const blank =
    language === null
      ? {
          fallbackLabel: t("templates.defaultHint"),
          insertLabel: t("templates.startFromDefault"),
        }
      : {
          fallbackLabel: t("templates.sharedHint"),
          insertLabel: t("templates.startFromShared"),
        };
  return [
    {
      title:
        language === null
          ? t("templates.customTitle")
          : t("templates.customLanguageTitle", {
              language: languageName(language, t.language),
            }),
      text: language === null ? t("templates.customHint") : t("templates.customLanguageHint"),
      fields: [
        {
          name: at("subject"),
          kind: "text",
          label: t("emailPreview.subject"),
          hint: t("templates.subjectHint"),
          blank: undefined,
          placeholder: language === null ? "{{ subject }}" : t("templates.subjectPlaceholder"),
        },
        {
          name: at("html_template"),
          kind: "code",
          label: "HTML",
          hint: t("templates.htmlHint"),
          starter: starters.html,
          ...blank,
        },
        {
          name: at("text_template"),
          kind: "code",
          label: t("emailPreview.plainText"),
          hint: t("templates.textHint"),
          starter: starters.text,
          ...blank,
        },
      ],
    },
  ];
}
