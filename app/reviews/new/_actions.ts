"use server";

import { redirect } from "next/navigation";
import { visitor } from "@/app/_visitor";
import { AppError } from "@/lib/errors";
import type { FormState, UploadedPhoto } from "@/lib/forms/schema";
import { webFormPath } from "@/lib/web-form/link";
import type { WebFormLink } from "@/lib/web-form/open-web-form";
import { submitWebForm } from "@/lib/web-form/submit-web-form";
import { uploadWebPhoto } from "@/lib/web-form/upload-web-photo";

/** Takes the form; goes on to the thanks, or answers what is to be mended. */
export async function sendReview(link: WebFormLink, _state: FormState, form: FormData): Promise<FormState> {
  const state = await submitWebForm(link, form, await visitor()).catch((error: unknown) => {
    // The client is gone meanwhile: the page says so.
    if (error instanceof AppError && error.code === "not_found") redirect(webFormPath(link));
    throw error;
  });
  return state ?? redirect(webFormPath({ ...link, sent: "1" }));
}

/** Takes one photo ahead of the form. */
export async function addPhoto(link: WebFormLink, form: FormData): Promise<UploadedPhoto> {
  const file = form.get("file");
  if (!(file instanceof File)) throw new AppError("invalid_field", "file is required.", { field: "file" });
  return uploadWebPhoto(link, file, await visitor());
}
