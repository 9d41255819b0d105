"use server";

import { redirect } from "next/navigation";
import { visitorNetwork } from "@/app/_visitor";
import { submitEdit, submitQuestionEdit } from "@/lib/forms/edit/submit-edit";
import type { QuestionValues } from "@/lib/forms/question-form/schema";
import type { FormState } from "@/lib/forms/schema";
import { AppError } from "@/lib/platform/errors";

/** Saves the changes of a review; redirects to the thank-you page, or returns the issues to fix. */
export async function sendEdit(token: string, _state: FormState, form: FormData): Promise<FormState> {
  const state = await submitEdit(token, form, await visitorNetwork()).catch(redirectIfNotFound(token));
  return state ?? redirect(`/edit/${token}?sent=1`);
}

/** Same as {@link sendEdit}, for a question. */
export async function sendQuestionEdit(
  token: string,
  _state: FormState<QuestionValues>,
  form: FormData,
): Promise<FormState<QuestionValues>> {
  const state = await submitQuestionEdit(token, form, await visitorNetwork()).catch(redirectIfNotFound(token));
  return state ?? redirect(`/edit/${token}?sent=1`);
}

/** Redirects to the page if the link has expired or the text was deleted meanwhile: it explains that. */
const redirectIfNotFound = (token: string) => (error: unknown) => {
  if (error instanceof AppError && error.code === "not_found") redirect(`/edit/${token}`);
  throw error;
};
