import { useMemo } from "react";
import { type CompactFormatter, type CompactTexts, compactFormatter } from "@/lib/platform/i18n/compact-formatter";

/** Formats the texts that a page passes to its form. */
export const useTexts = <Key extends string>({ locale, messages }: CompactTexts<Key>): CompactFormatter<Key> =>
  useMemo(() => compactFormatter(locale, messages), [locale, messages]);
