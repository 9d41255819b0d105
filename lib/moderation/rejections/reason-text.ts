import type { Language } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { rejectReasons } from "@/lib/reviews/decisions/schema";

/** Why something is not published, as its author reads it; also for a stored reason that is no code of ours. */
export function reasonText(language: Language, reason: string): string {
  const known = rejectReasons.find((code) => code === reason) ?? "unspecified";
  return emailText(language)(`rejectReason.${known}`);
}
