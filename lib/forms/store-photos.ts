import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { SentForm } from "@/lib/forms/read-form";
import { type FormIssue, MAX_PHOTOS } from "@/lib/forms/schema";
import { AppError } from "@/lib/platform/errors";
import { takeToken } from "@/lib/platform/http/rate-limit";
import type { PublicText } from "@/lib/platform/i18n/public-texts";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";

/** The sender of photos and the form's texts; `visitor` is the key of the upload rate limit. */
type Sender = { client: Pick<ClientRow, "id">; visitor: string; t: PublicText };

/** Uploads one photo. Returns its token, or the message that says why it was rejected. */
export async function storePhoto(
  file: File,
  { client, visitor, t }: Sender,
): Promise<{ token: string } | { issue: string }> {
  try {
    takeToken("upload", visitor);
    return { token: (await storeUpload(client, file)).token };
  } catch (error) {
    return { issue: photoErrorText(error, file.name, t) };
  }
}

/**
 * Uploads the photos sent with the form. Accepted photos are added to the values as tokens; rejected ones are issues.
 */
export async function storePhotos(sent: SentForm, sender: Sender): Promise<FormIssue[]> {
  const issues: FormIssue[] = [];
  for (const [position, files] of sent.files) {
    const images = sent.values.items[position]?.images ?? [];
    const field = `items.${position}.files`;
    if (images.length + files.length > MAX_PHOTOS) {
      issues.push({ field, message: sender.t("reviewForm.errorTooManyPhotos") });
      continue;
    }
    for (const file of files) {
      const stored = await storePhoto(file, sender);
      if ("token" in stored) images.push(stored.token);
      else issues.push({ field, message: stored.issue });
    }
  }
  return issues;
}

function photoErrorText(error: unknown, name: string, t: PublicText): string {
  const code = error instanceof AppError ? error.code : null;
  if (code === "too_large") return t("reviewForm.errorPhotoSize", { name });
  if (code === "invalid_field") return t("reviewForm.errorPhoto", { name });
  if (code === "rate_limited" || code === "unavailable") return t("form.errorBusy");
  throw error;
}
