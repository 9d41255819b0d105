"use server";

import { redirect } from "next/navigation";
import type { SetPasswordState } from "@/components/portal/set-password-form";
import { setPasswordByLink } from "@/lib/accounts/set-password";
import { AppError } from "@/lib/errors";
import { words } from "@/lib/words/of-request";

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** Sets the password of whoever the link belongs to, and leads to the door. */
export async function setPasswordAction(
  token: string,
  _state: SetPasswordState,
  form: FormData,
): Promise<SetPasswordState> {
  const t = await words();
  const password = textOf(form, "password");
  if (password !== textOf(form, "again")) return { error: t("The two are not the same."), over: false };
  try {
    await setPasswordByLink(token, password);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== "invalid_field" && error.code !== "not_found")) throw error;
    return { error: t(`The password ${error.faults[0]?.message}.`), over: error.code === "not_found" };
  }
  redirect("/portal/sign-in?set=1");
}
