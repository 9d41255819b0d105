"use server";

import { redirect } from "next/navigation";
import { visitorNetwork } from "@/app/_visitor";
import { submitInvitationForm } from "@/lib/forms/invitation/submit-invitation-form";
import type { FormState } from "@/lib/forms/schema";
import { AppError } from "@/lib/platform/errors";

/** Saves the reviews; redirects to the thank-you page, or returns the issues to fix. */
export async function sendReviews(token: string, _state: FormState, form: FormData): Promise<FormState> {
  const outcome = await submitInvitationForm(token, form, await visitorNetwork()).catch((error: unknown) => {
    // The link has expired meanwhile: its page explains that.
    if (error instanceof AppError && error.code === "not_found") redirect(`/r/${token}`);
    throw error;
  });
  if (outcome.outcome === "issues") return outcome.state;
  redirect(`/r/${token}?sent=${outcome.reviews}`);
}
