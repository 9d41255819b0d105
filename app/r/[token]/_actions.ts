"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { AppError } from "@/lib/errors";
import { addressOf } from "@/lib/http/address";
import type { FormState } from "@/lib/invitations/schema";
import { submitForm } from "@/lib/invitations/submit-form";
import { type UploadedPhoto, uploadPhoto } from "@/lib/invitations/upload-photo";

const visitor = async (): Promise<string | null> => addressOf(await headers(), undefined) || null;

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
