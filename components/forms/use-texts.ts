import { useMemo } from "react";
import { type ShortText, type ShortTexts, shortText } from "@/lib/platform/i18n/short-text";

/** Formats the texts that a page hands to its form. */
export const useTexts = <Key extends string>({ locale, messages }: ShortTexts<Key>): ShortText<Key> =>
  useMemo(() => shortText(locale, messages), [locale, messages]);
