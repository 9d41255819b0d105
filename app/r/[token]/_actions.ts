"use server";

import { redirect } from "next/navigation";
import { visitor } from "@/app/_visitor";
import { submitForm } from "@/lib/forms/invitation/submit-form";
import type { FormState } from "@/lib/forms/schema";
import { AppError } from "@/lib/platform/errors";

/** Takes the form; goes on to the thanks, or answers what is to be mended. */
export async function sendReviews(token: string, _state: FormState, form: FormData): Promise<FormState> {
  const outcome = await submitForm(token, form, await visitor()).catch((error: unknown) => {
    // The link ran out meanwhile: its page says so.
    if (error instanceof AppError && error.code === "not_found") redirect(`/r/${token}`);
    throw error;
  });
  if (outcome.outcome === "issues") return outcome.state;
  redirect(`/r/${token}?sent=${outcome.reviews}`);
}
