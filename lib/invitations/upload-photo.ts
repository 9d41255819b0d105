import { AppError } from "@/lib/errors";
import { takePhoto } from "@/lib/forms/photos";
import type { UploadedPhoto } from "@/lib/forms/schema";
import { formWords } from "@/lib/forms/words";
import { openInvitation } from "@/lib/invitations/open-invitation";

/**
 * Takes a photo for an invitation's form before it is sent, so that the form shows it at once. Answers the token that
 * goes with the form, or why the photo cannot be taken, in the form's language. Throws `not_found`.
 */
export async function uploadPhoto(token: string, file: File, address: string | null): Promise<UploadedPhoto> {
  const open = await openInvitation(token);
  if (open.state !== "open") throw new AppError("not_found", "This link does not work any more.");
  const { client, invitation, language } = open;
  return takePhoto(file, {
    client,
    visitor: `${client.id}|${address ?? invitation.id}`,
    words: formWords[language],
  });
}
