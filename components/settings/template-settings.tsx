"use client";

import clsx from "clsx";
import { useState } from "react";
import { useTranslations } from "#messages";
import { BlocksEditor } from "@/components/settings/blocks-editor";
import { type FieldDef, SettingField } from "@/components/settings/fields";
import { languageName } from "@/components/settings/language-name";
import { MailPreviewCard } from "@/components/settings/mail-preview";
import { changedBlocks, issueAt, type Settings, settingOf } from "@/components/settings/settings-draft";
import { type Edit, SettingsForm, type SettingsPageProps } from "@/components/settings/settings-form";
import { templateGroups } from "@/components/settings/template-groups";
import { templateName } from "@/components/settings/template-name";
import {
  hasTemplate,
  hasUnsavedBlocks,
  partName,
  type TemplateState,
  templateParts,
  templateState,
} from "@/components/settings/template-parts";
import { TemplateVersions } from "@/components/settings/template-versions";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { segmentClass, segmentsClass } from "@/components/ui/segments";
import type { TemplateBlocks, TemplateLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { defaultBlocks, type Greetings } from "@/lib/invitations/template-blocks/rules";
import { type Language, languageOf, languages } from "@/lib/platform/i18n/languages";

type DefaultTemplates = { html: string; text: string };
type Props = SettingsPageProps & {
  ours: DefaultTemplates;
  greetings: Greetings;
  logo: FieldDef;
  /** where to send tests */
  email: string;
};
type View = "blocks" | "advanced";

/** The email templates, default and per language: as blocks or as HTML, with a preview, saved or not. */
export function TemplateSettings({ ours, greetings, logo, email, ...props }: Props) {
  const t = useTranslations();
  const { settings: saved, mayChange } = props;
  const [language, setLanguage] = useState<TemplateLanguage>("all");
  const [view, setView] = useState<View>("blocks");
  const [shown, setShown] = useState<Language>(languageOf(saved.locale));
  const pick = (picked: TemplateLanguage) => {
    setLanguage(picked);
    if (picked !== "all") setShown(picked);
  };
  const isLocked = (settings: Settings) => hasUnsavedBlocks(saved, settings, language);

  const setBlocks = ({ set }: Edit, blocks: TemplateBlocks) => {
    // The blocks replace texts that were edited, but not saved.
    for (const part of templateParts) set(partName(language, part), settingOf(saved, partName(language, part)));
    set(`blocks.${language}`, blocks);
  };
  const removeTemplate = ({ set }: Edit) => {
    for (const part of templateParts) set(partName(language, part), undefined);
    set(`blocks.${language}`, undefined);
  };

  return (
    <SettingsForm
      {...props}
      isPreviewBeside
      groups={(settings) =>
        view === "advanced" && !isLocked(settings)
          ? templateGroups(t, language === "all" ? null : language, startersOf(settings, language, ours))
          : []
      }
      nameOf={(field) => templateName(field, t)}
      above={(settings, edit) => {
        const state = templateState(saved, settings, language, greetings);
        return (
          <>
            <LanguageTabs settings={settings} picked={language} onPick={pick} />
            <ViewSwitch view={view} onView={setView} />
            {view === "advanced" && isLocked(settings) && <Notice>{t("templates.advancedLocked")}</Notice>}
            {view === "blocks" && (
              <section
                aria-labelledby="template-blocks"
                className="rounded-card border border-line bg-raised p-5 shadow-raised sm:p-6"
              >
                <h2 id="template-blocks" className="text-lg font-semibold">
                  {language === "all"
                    ? t("templates.blocksTitle")
                    : t("templates.blocksLanguageTitle", { language: languageName(language, t.language) })}
                </h2>
                <StateNote
                  state={state}
                  language={language}
                  mayChange={mayChange}
                  onRemove={() => removeTemplate(edit)}
                />
                {state.madeOf === "blocks" ? (
                  <BlocksEditor
                    // Another language's texts are other ones, although the blocks have the same ids.
                    key={language}
                    value={state.blocks}
                    logo={
                      <SettingField
                        field={logo}
                        value={settingOf(settings, logo.name)}
                        settings={settings}
                        issue={issueAt(edit.issues, logo.name)}
                        issues={edit.issues}
                        disabled={!mayChange}
                        onChange={(value) => edit.set(logo.name, value)}
                        page={{ clientId: props.clientId, set: edit.set }}
                      />
                    }
                    disabled={!mayChange}
                    onChange={(blocks) => setBlocks(edit, blocks)}
                  />
                ) : (
                  mayChange && (
                    <Button onClick={() => setBlocks(edit, defaultBlocks(greetings[language]))}>
                      {t("templates.startFromBlocks")}
                    </Button>
                  )
                )}
              </section>
            )}
          </>
        );
      }}
      below={(_, { isUnsaved }) => (
        <TemplateVersions {...props} language={language} shown={shown} isUnsaved={isUnsaved} />
      )}
      preview={(settings) => (
        <MailPreviewCard
          clientId={props.clientId}
          config={settings.config}
          blocks={changedBlocks(saved, settings)}
          lang={shown}
          onLang={setShown}
          maySend={mayChange}
          email={email}
        />
      )}
    />
  );
}

type NoteProps = { state: TemplateState; language: TemplateLanguage; mayChange: boolean; onRemove: () => void };

/** Says where the shown template comes from, and offers to remove it. */
function StateNote({ state, language, mayChange, onRemove }: NoteProps) {
  const t = useTranslations();
  const isForAll = language === "all";
  if (state.madeOf === "html")
    return (
      <p className="mb-4 max-w-prose text-sm text-muted">
        {state.isOwn ? t("templates.editedAsHtml") : t("templates.sharedIsHtml")}
      </p>
    );
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="max-w-prose text-sm text-muted">
        {state.isOwn ? t("templates.placeholderHint") : isForAll ? t("templates.isDefault") : t("templates.isShared")}
      </p>
      {state.isOwn && mayChange && (
        <Button size="small" variant="quiet" onClick={onRemove}>
          {isForAll ? t("templates.useDefault") : t("templates.useShared")}
        </Button>
      )}
    </div>
  );
}

/** The texts to start a template with: those its emails currently use. */
function startersOf({ config }: Settings, language: TemplateLanguage, defaults: DefaultTemplates): DefaultTemplates {
  if (language === "all") return defaults;
  return {
    html: config.html_template || defaults.html,
    text: config.text_template || defaults.text,
  };
}

const switchClass = clsx(segmentsClass, "flex max-w-full flex-wrap gap-0.5 self-start");

/** Selects whether to edit blocks or HTML. */
function ViewSwitch({ view, onView }: { view: View; onView: (view: View) => void }) {
  const t = useTranslations();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would suggest fields to fill in
    <div role="group" aria-label={t("templates.editor")} className={switchClass}>
      {(["blocks", "advanced"] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={view === one}
          onClick={() => onView(one)}
          className={segmentClass}
        >
          {one === "blocks" ? t("templates.blocks") : t("templates.advanced")}
        </button>
      ))}
    </div>
  );
}

type TabsProps = {
  settings: Settings;
  picked: TemplateLanguage;
  onPick: (language: TemplateLanguage) => void;
};

/** Selects the templates' language; a dot marks languages with templates of their own. */
function LanguageTabs({ settings, picked, onPick }: TabsProps) {
  const t = useTranslations();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would suggest fields to fill in
    <div role="group" aria-label={t("templates.language")} className={switchClass}>
      {(["all", ...languages] as const).map((language) => {
        const own = language !== "all" && (settings.blocks?.[language] || hasTemplate(settings, language));
        return (
          <button
            key={language}
            type="button"
            aria-pressed={picked === language}
            onClick={() => onPick(language)}
            className={clsx(segmentClass, "gap-1.5")}
          >
            {language === "all" ? t("templates.allLanguages") : languageName(language, t.language)}
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
