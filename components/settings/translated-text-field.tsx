"use client";

import { useState } from "react";
import { useTranslations } from "#messages";
import { languageName } from "@/components/settings/language-name";
import { Field, Select, TextArea } from "@/components/ui/field";
import { languages } from "@/lib/platform/i18n/languages";

/** Sets one language's text; an empty one is removed. */
export function withText(texts: Record<string, string>, language: string, text: string): Record<string, string> {
  const { [language]: _, ...others } = texts;
  return text.trim() === "" ? others : { ...others, [language]: text };
}

/** The languages to offer: those of the forms, and others that have a text. */
export const languageOptions = (texts: Record<string, string>): string[] => [
  ...languages,
  ...Object.keys(texts).filter((language) => !(languages as readonly string[]).includes(language)),
];

type Props = {
  id: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: Record<string, string>;
  onChange: (value: Record<string, string>) => void;
};

/** A longer text in several languages, one at a time. */
export function TranslatedTextField({ id, label, hint, error, value, onChange }: Props) {
  const t = useTranslations();
  const [language, setLanguage] = useState(Object.keys(value)[0] ?? "en");
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={error}
      aside={
        <Select
          compact
          aria-label={t("settings.languageLabel", { label })}
          value={language}
          onChange={({ target }) => setLanguage(target.value)}
        >
          {languageOptions(value).map((code) => (
            <option key={code} value={code}>
              {value[code]
                ? languageName(code, t.language)
                : t("settings.languageEmpty", {
                    language: languageName(code, t.language),
                  })}
            </option>
          ))}
        </Select>
      }
    >
      {(wiring) => (
        <TextArea
          {...wiring}
          key={language}
          lang={language}
          value={value[language] ?? ""}
          onChange={({ target }) => onChange(withText(value, language, target.value))}
        />
      )}
    </Field>
  );
}
