"use client";

import { useState } from "react";
import { useTranslations } from "#messages";
import { languageName } from "@/components/settings/language-name";
import { MailPreviewCard } from "@/components/settings/mail-preview";
import type { Settings } from "@/components/settings/settings-draft";
import { SettingsForm, type SettingsPageProps } from "@/components/settings/settings-form";
import { templateGroups } from "@/components/settings/template-groups";
import { templateName } from "@/components/settings/template-name";
import { type Language, languageOf, languages } from "@/lib/platform/i18n/languages";

type DefaultTemplates = { html: string; text: string };
type Props = SettingsPageProps & { ours: DefaultTemplates; email: string };

/** The email templates, default and per language, with a preview of the email, saved or not. */
export function TemplateSettings({ ours, email, ...props }: Props) {
  const t = useTranslations();
  const [language, setLanguage] = useState<Language | null>(null);
  const [shown, setShown] = useState<Language>(languageOf(props.settings.locale));
  const pick = (picked: Language | null) => {
    setLanguage(picked);
    if (picked) setShown(picked);
  };
  return (
    <SettingsForm
      {...props}
      groups={(settings) => templateGroups(t, language, startersOf(settings, language, ours))}
      nameOf={(field) => templateName(field, t)}
      above={(settings) => <LanguageTabs settings={settings} picked={language} onPick={pick} />}
      preview={({ config }) => (
        <MailPreviewCard
          clientId={props.clientId}
          config={config}
          lang={shown}
          onLang={setShown}
          maySend={props.mayChange}
          email={email}
        />
      )}
    />
  );
}

/** The texts to start a template with: those its emails currently use. */
function startersOf({ config }: Settings, language: Language | null, defaults: DefaultTemplates): DefaultTemplates {
  if (language === null) return defaults;
  return {
    html: config.html_template || defaults.html,
    text: config.text_template || defaults.text,
  };
}

type TabsProps = {
  settings: Settings;
  picked: Language | null;
  onPick: (language: Language | null) => void;
};

/** Selects the templates' language; a dot marks languages with templates of their own. */
function LanguageTabs({ settings: { config }, picked, onPick }: TabsProps) {
  const t = useTranslations();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would suggest fields to fill in
    <div
      role="group"
      aria-label={t("templates.language")}
      className="flex max-w-full flex-wrap gap-0.5 self-start rounded-control bg-sunken p-0.5"
    >
      {[null, ...languages].map((language) => {
        const own = language !== null && Object.values(config.templates?.[language] ?? {}).some(Boolean);
        return (
          <button
            key={language ?? "all"}
            type="button"
            aria-pressed={picked === language}
            onClick={() => onPick(language)}
            className="flex h-9 items-center gap-1.5 rounded-[0.4rem] px-3 text-sm font-medium text-muted hover:text-ink aria-pressed:bg-lifted aria-pressed:text-ink aria-pressed:shadow-raised lg:h-8"
          >
            {language === null ? t("templates.allLanguages") : languageName(language, t.language)}
            {own && (
              <>
                <span aria-hidden="true" className="size-1.5 rounded-full bg-accent" />
                <span className="sr-only"> {t("templates.customized")}</span>
              </>
            )}
          </button>
        );
      })}
    </div>
  );
}
