"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { Language } from "@/lib/platform/i18n/languages";
import { type Dictionary, english, type Words, wordsOf } from "@/lib/platform/i18n/rules";

type Spoken = { language: Language; dictionary: Dictionary; words: Words };

const Context = createContext<Spoken>({
  language: "en",
  dictionary: {},
  words: english,
});

/** Hands what a part of the portal says to its components in the browser, beside what the parts around it say. */
export function WordsProvider({
  language,
  dictionary,
  children,
}: {
  language: Language;
  dictionary: Dictionary;
  children: ReactNode;
}) {
  const around = useContext(Context);
  const value = useMemo(() => {
    const all = around.language === language ? { ...around.dictionary, ...dictionary } : dictionary;
    return { language, dictionary: all, words: wordsOf(language, all) };
  }, [around, language, dictionary]);
  return <Context value={value}>{children}</Context>;
}

/** How to say something in the reader's language: `const t = useWords()`, then `t("English text")`. */
export const useWords = (): Words => useContext(Context).words;
