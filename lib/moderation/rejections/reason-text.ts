import type { Language } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { rejectReasons } from "@/lib/reviews/decisions/schema";

/** The text of a rejection reason for the author; unknown stored reasons count as `unspecified`. */
export function reasonText(language: Language, reason: string): string {
  const known = rejectReasons.find((code) => code === reason) ?? "unspecified";
  return emailText(language)(`rejectReason.${known}`);
}
