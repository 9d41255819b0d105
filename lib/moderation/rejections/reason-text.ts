import type { Language } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { type RejectReason, rejectReasons, textReasons } from "@/lib/reviews/decisions/schema";

/** The text of a rejection reason for the author; unknown stored reasons count as `unspecified`. */
export function reasonText(language: Language, reason: string): string {
  const known = rejectReasons.find((code) => code === reason) ?? "unspecified";
  return emailText(language)(`rejectReason.${known}`);
}

type PhotoReason = Exclude<RejectReason, (typeof textReasons)[number]>;
const isPhotoReason = (code: RejectReason): code is PhotoReason => !textReasons.some((reason) => reason === code);

/** The text of a reason why a photo isn't shown. Unknown ones, and those of texts only, count as `unspecified`. */
export function photoReasonText(language: Language, reason: string): string {
  const known = rejectReasons.filter(isPhotoReason).find((code) => code === reason) ?? "unspecified";
  return emailText(language)(`photoReason.${known}`);
}
