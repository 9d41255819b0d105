import { languageName } from "@/components/settings/language-name";
import type { Group } from "@/components/settings/settings-form";
import type { Language } from "@/lib/platform/i18n/languages";
import type { Words } from "@/lib/platform/i18n/rules";

/** The templates of a language, or of all that have none of their own; `starters`: what to begin with. */
export function templateGroups(t: Words, language: Language | null, starters: { html: string; text: string }): Group[] {
  const at = <Part extends "subject" | "html_template" | "text_template">(part: Part) =>
    language === null ? (`config.${part}` as const) : (`config.templates.${language}.${part}` as const);
  const blank =
    language === null
      ? {
          shown: t("Empty: ours, as shown below."),
          begin: t("Begin with ours"),
        }
      : {
          shown: t("Empty: the one for all languages, as shown below."),
          begin: t("Begin with the one for all languages"),
        };
  return [
    {
      title:
        language === null
          ? t("Your own templates")
          : t("Your own templates, {language}", {
              language: languageName(language, t.locale),
            }),
      text:
        language === null
          ? t(
              "In Liquid, for every language that has none of its own: {{ language }} says which it is, and our own wording comes in it. What you leave blank stays as Candor ships it.",
            )
          : t("In Liquid, for customers of this language. What is blank is as for all languages."),
      fields: [
        {
          name: at("subject"),
          kind: "text",
          label: t("Subject"),
          hint: t("{{ subject }} is ours; {{ client_name }} and {{ items[0].name }} are yours to use."),
          blank: undefined,
          placeholder: language === null ? "{{ subject }}" : t("Empty: the one for all languages."),
        },
        {
          name: at("html_template"),
          kind: "code",
          label: "HTML",
          hint: t("It must link to {{ opt_out_url }} and {{ review_url }}. Values are escaped."),
          starter: starters.html,
          ...blank,
        },
        {
          name: at("text_template"),
          kind: "code",
          label: t("Plain text"),
          hint: t("For readers that show no HTML; it must name the same two."),
          starter: starters.text,
          ...blank,
        },
      ],
    },
  ];
}
