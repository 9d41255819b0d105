import { AppError } from "@/lib/errors";
import { takePhoto } from "@/lib/forms/photos";
import type { UploadedPhoto } from "@/lib/forms/schema";
import { formWords } from "@/lib/forms/words";
import { openWebForm, type WebFormLink } from "@/lib/web-form/open-web-form";

/**
 * Takes a photo for the web form before it is sent. Answers the token that goes with the form, or why the photo cannot
 * be taken, in the form's language. Throws `not_found` for a link without client or product.
 */
export async function uploadWebPhoto(link: WebFormLink, file: File, address: string | null): Promise<UploadedPhoto> {
  const open = await openWebForm(link);
  if (open.state !== "open") throw new AppError("not_found", "This link does not lead to a form.");
  const { client, language } = open;
  return takePhoto(file, { client, visitor: `${client.id}|${address ?? ""}`, words: formWords[language] });
}
