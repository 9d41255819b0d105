import { toEnglish } from "@/lib/platform/notices";

/** A stored notice as text in English. */
export const noticeInEnglish = (stored: string | null | undefined): string | null =>
  stored ? toEnglish(stored) : null;
