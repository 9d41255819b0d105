"use server";

import { redirect } from "next/navigation";
import { visitor } from "@/app/_visitor";
import { AppError } from "@/lib/errors";
import type { FormState, UploadedPhoto } from "@/lib/forms/schema";
import { submitForm } from "@/lib/invitations/submit-form";
import { uploadPhoto } from "@/lib/invitations/upload-photo";

/** Takes the form; goes on to the thanks, or answers what is to be mended. */
export async function sendReviews(token: string, _state: FormState, form: FormData): Promise<FormState> {
  const outcome = await submitForm(token, form, await visitor()).catch((error: unknown) => {
    // The link ran out meanwhile: its page says so.
    if (error instanceof AppError && error.code === "not_found") redirect(`/r/${token}`);
    throw error;
  });
  if (outcome.outcome === "faults") return outcome.state;
  redirect(`/r/${token}?sent=${outcome.reviews}`);
}

/** Takes one photo ahead of the form. */
export async function addPhoto(token: string, form: FormData): Promise<UploadedPhoto> {
  const file = form.get("file");
  if (!(file instanceof File)) throw new AppError("invalid_field", "file is required.", { field: "file" });
  return uploadPhoto(token, file, await visitor());
}
