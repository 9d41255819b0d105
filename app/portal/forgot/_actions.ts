"use server";

import { headers } from "next/headers";
import { after } from "next/server";
import type { StepState } from "@/components/portal/step-form";
import { errorMessageOf, translations } from "@/lib/accounts/language/request-language";
import { limitResets, mailReset } from "@/lib/accounts/reset-password";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";

type ForgotState = StepState<"ask" | "sent">;

/**
 * Sends a password link. The response is the same for everyone and doesn't wait for the lookup, so that it doesn't
 * reveal accounts.
 */
export async function forgotAction(state: ForgotState, form: FormData): Promise<ForgotState> {
  const given = form.get("who");
  const usernameOrEmail = typeof given === "string" ? given.trim() : "";
  const withError = (error: string): ForgotState => ({ ...state, error, fieldValues: { who: usernameOrEmail } });
  if (usernameOrEmail === "") return withError((await translations())("signIn.errorNoUsername"));
  try {
    limitResets(await headers());
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") return withError(await errorMessageOf(error));
    throw error;
  }
  after(() =>
    mailReset(usernameOrEmail).catch((error) => log.error({ err: error }, "could not send a password reset email")),
  );
  return { step: "sent", error: null, fieldValues: {} };
}
