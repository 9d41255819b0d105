"use server";

import { headers } from "next/headers";
import { after } from "next/server";
import type { StepState } from "@/components/portal/step-form";
import { admitReset, mailReset } from "@/lib/accounts/reset-password";
import { saidError, translations } from "@/lib/accounts/sign-in/language-of-request";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";

type ForgotState = StepState<"ask" | "sent">;

/** Has a link mailed to whoever it is. The answer is the same for everybody, and comes before anybody is looked up. */
export async function forgotAction(state: ForgotState, form: FormData): Promise<ForgotState> {
  const given = form.get("who");
  const who = typeof given === "string" ? given.trim() : "";
  const again = (error: string): ForgotState => ({ ...state, error, kept: { who } });
  if (who === "") return again((await translations())("signIn.errorNoUsername"));
  try {
    admitReset(await headers());
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") return again(await saidError(error));
    throw error;
  }
  after(() => mailReset(who).catch((error) => log.error({ err: error }, "could not send a password reset email")));
  return { step: "sent", error: null, kept: {} };
}
