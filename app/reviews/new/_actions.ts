"use server";

import { redirect } from "next/navigation";
import { visitorNetwork } from "@/app/_visitor";
import { isDemoBlocked } from "@/app/_web-form";
import type { FormState } from "@/lib/forms/schema";
import { webFormPath } from "@/lib/forms/web-form/link";
import type { WebFormLink } from "@/lib/forms/web-form/open-web-form";
import { submitWebForm } from "@/lib/forms/web-form/submit-web-form";
import { AppError } from "@/lib/platform/errors";

/** Saves the review; redirects to the thank-you page, or returns the issues to fix. */
export async function sendReview(link: WebFormLink, _state: FormState, form: FormData): Promise<FormState> {
  if (await isDemoBlocked(link)) redirect(webFormPath(link));
  const outcome = await submitWebForm(link, form, await visitorNetwork()).catch((error: unknown) => {
    // The client was deleted meanwhile: the page explains that.
    if (error instanceof AppError && error.code === "not_found") redirect(webFormPath(link));
    throw error;
  });
  if ("state" in outcome) return outcome.state;
  redirect(webFormPath({ ...link, sent: "1", receipt: outcome.receipt }));
}
