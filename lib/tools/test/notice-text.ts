import { toEnglish } from "@/lib/platform/notices";

/** What is kept of notices, as people read it. */
export const noticeInEnglish = (stored: string | null | undefined): string | null =>
  stored ? toEnglish(stored) : null;
