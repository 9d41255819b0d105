"use client";

import { useState } from "react";
import { useWords } from "#words";
import { languageName } from "@/components/settings/language-name";
import { controlClass, TextArea } from "@/components/ui/field";
import { languages } from "@/lib/languages/rules";

/** A text by language with one language's text; a blank one is none. */
export function withText(texts: Record<string, string>, language: string, text: string): Record<string, string> {
  const { [language]: _, ...others } = texts;
  return text.trim() === "" ? others : { ...others, [language]: text };
}

/** The languages to offer: those that forms speak, and whatever else has a text. */
export const offered = (texts: Record<string, string>): string[] => [
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
export function Texts({ id, label, hint, error, value, onChange }: Props) {
  const t = useWords();
  const [language, setLanguage] = useState(Object.keys(value)[0] ?? "en");
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <select
          aria-label={t("{label}: language", { label })}
          value={language}
          onChange={({ target }) => setLanguage(target.value)}
          className={`${controlClass} h-9 lg:h-8`}
        >
          {offered(value).map((code) => (
            <option key={code} value={code}>
              {value[code]
                ? languageName(code, t.locale)
                : t("{language} (none yet)", {
                    language: languageName(code, t.locale),
                  })}
            </option>
          ))}
        </select>
      </div>
      <TextArea
        id={id}
        key={language}
        lang={language}
        value={value[language] ?? ""}
        aria-describedby={
          [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ") || undefined
        }
        aria-invalid={error ? true : undefined}
        onChange={({ target }) => onChange(withText(value, language, target.value))}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
