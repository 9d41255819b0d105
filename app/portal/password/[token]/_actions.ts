"use server";

import { redirect } from "next/navigation";
import type { StepState } from "@/components/portal/step-form";
import { errorMessageOf, translations } from "@/lib/accounts/language/request-language";
import { setPasswordByLink } from "@/lib/accounts/set-password";
import { AppError } from "@/lib/platform/errors";

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

type SetPasswordState = StepState<"set" | "over">;

/** Sets the password of the link's owner and redirects to the sign-in page. */
export async function setPasswordAction(
  token: string,
  state: SetPasswordState,
  form: FormData,
): Promise<SetPasswordState> {
  const t = await translations();
  const password = textOf(form, "password");
  if (password !== textOf(form, "again")) return { ...state, error: t("signIn.errorMismatch") };
  try {
    await setPasswordByLink(token, password);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== "invalid_field" && error.code !== "not_found")) throw error;
    if (error.code === "not_found") return { ...state, step: "over" };
    return { ...state, error: await errorMessageOf(error) };
  }
  redirect("/portal/sign-in?set=1");
}
