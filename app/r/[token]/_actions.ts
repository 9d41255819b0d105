"use server";

import { redirect } from "next/navigation";
import { visitorNetwork } from "@/app/_visitor";
import { submitInvitationForm } from "@/lib/forms/invitation/submit-invitation-form";
import type { FormState } from "@/lib/forms/schema";
import { AppError } from "@/lib/platform/errors";

/** Takes the form; goes on to the thanks, or answers what is to be mended. */
export async function sendReviews(token: string, _state: FormState, form: FormData): Promise<FormState> {
  const outcome = await submitInvitationForm(token, form, await visitorNetwork()).catch((error: unknown) => {
    // The link ran out meanwhile: its page says so.
    if (error instanceof AppError && error.code === "not_found") redirect(`/r/${token}`);
    throw error;
  });
  if (outcome.outcome === "issues") return outcome.state;
  redirect(`/r/${token}?sent=${outcome.reviews}`);
}
