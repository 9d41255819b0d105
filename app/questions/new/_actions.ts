"use server";

import { redirect } from "next/navigation";
import { visitorNetwork } from "@/app/_visitor";
import { isDemoBlocked } from "@/app/_web-form";
import type { QuestionValues } from "@/lib/forms/question-form/schema";
import { submitQuestionForm } from "@/lib/forms/question-form/submit-question-form";
import type { FormState } from "@/lib/forms/schema";
import { questionFormPath } from "@/lib/forms/web-form/link";
import type { WebFormLink } from "@/lib/forms/web-form/open-web-form";
import { AppError } from "@/lib/platform/errors";

/** Saves the question; redirects to the thank-you page, or returns the issues to fix. */
export async function sendQuestion(
  link: WebFormLink,
  _state: FormState<QuestionValues>,
  form: FormData,
): Promise<FormState<QuestionValues>> {
  if (await isDemoBlocked(link)) redirect(questionFormPath(link));
  const outcome = await submitQuestionForm(link, form, await visitorNetwork()).catch((error: unknown) => {
    // The client was deleted or no longer accepts questions: the page explains that.
    if (error instanceof AppError && error.code === "not_found") redirect(questionFormPath(link));
    throw error;
  });
  if ("state" in outcome) return outcome.state;
  redirect(questionFormPath({ ...link, sent: outcome.mailed ? "mail" : "1", receipt: outcome.receipt }));
}
