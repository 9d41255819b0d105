import { AppError } from "@/lib/errors";
import { takeToken } from "@/lib/http/rate-limit";
import { formWords } from "@/lib/invitations/form-words";
import { openInvitation } from "@/lib/invitations/open-invitation";
import { photoFault } from "@/lib/invitations/submit-form";
import { storeUpload } from "@/lib/uploads/store-upload";

export type UploadedPhoto = { token: string } | { fault: string };

/**
 * Takes a photo for an invitation's form before it is sent, so that the form shows it at once. Answers the token that
 * goes with the form, or why the photo cannot be taken, in the form's language. Throws `not_found`, `rate_limited`.
 */
export async function uploadPhoto(token: string, file: File, address: string | null): Promise<UploadedPhoto> {
  const open = await openInvitation(token);
  if (open.state !== "open") throw new AppError("not_found", "This link does not work any more.");
  takeToken("upload", `${open.client.id}|${address ?? open.invitation.id}`);
  try {
    return { token: (await storeUpload(open.client, file)).token };
  } catch (error) {
    return { fault: photoFault(error, file.name, formWords[open.language]) };
  }
}
