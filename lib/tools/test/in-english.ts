import { englishOfKept } from "@/lib/platform/notices";

/** What is kept of notices, as people read it. */
export const inEnglish = (kept: string | null | undefined): string | null => (kept ? englishOfKept(kept) : null);
