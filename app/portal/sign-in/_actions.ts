"use server";

import { revalidatePath } from "next/cache";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import type { StepState } from "@/components/portal/step-form";
import { errorMessageOf, translations } from "@/lib/accounts/language/request-language";
import { knownDeviceCookie } from "@/lib/accounts/sign-in/known-device";
import { memberOf } from "@/lib/accounts/sign-in/member";
import { newSessionCookie } from "@/lib/accounts/sign-in/next-auth";
import { finishSignIn, startSignIn } from "@/lib/accounts/sign-in/portal-sign-in";
import { safeReturnPath } from "@/lib/accounts/sign-in/rules";
import { sessionCookie } from "@/lib/accounts/sign-in/session-cookie";
import { endSession } from "@/lib/accounts/sign-in/session-store";
import type { SignedIn } from "@/lib/accounts/sign-in/user";
import { AppError } from "@/lib/platform/errors";

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

type SignInState = StepState<"password" | "code">;

/** Signs in with user name, password and, if required, a code, and redirects to the requested page. */
export async function signInAction(state: SignInState, form: FormData): Promise<SignInState> {
  const ticket = textOf(form, "ticket");
  const username = textOf(form, "username").trim();
  const requestHeaders = await headers();
  try {
    const next = ticket
      ? await signInWithCode(ticket, form, requestHeaders)
      : await signInWithPassword(username, form, requestHeaders);
    if ("error" in next) return nextFormState(state, username, next);
    const jar = await cookies();
    jar.set(await newSessionCookie(next.person, requestHeaders));
    jar.set(knownDeviceCookie(next.person.actor.name, requestHeaders));
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited")
      return nextFormState(state, username, { error: await errorMessageOf(error), ticket: ticket || null });
    throw error;
  }
  redirect(safeReturnPath(form.get("to")));
}

type SignInResult = { person: SignedIn } | { error: string | null; ticket: string | null };

/** The form's next step: after a correct password, a ticket with which the code is sent. */
function nextFormState(
  state: SignInState,
  username: string,
  { error, ticket }: Extract<SignInResult, { error: unknown }>,
): SignInState {
  const to = state.fieldValues.to ?? "";
  return ticket === null
    ? { step: "password", error, fieldValues: { to, username } }
    : { step: "code", error, fieldValues: { to, ticket } };
}

async function signInWithPassword(username: string, form: FormData, incomingHeaders: Headers): Promise<SignInResult> {
  const t = await translations();
  const password = textOf(form, "password");
  if (!username || !password) return { error: t("signIn.errorEmpty"), ticket: null };
  const attempt = await startSignIn(username, password, incomingHeaders);
  if (!attempt) return { error: t("signIn.errorWrongPassword"), ticket: null };
  return "person" in attempt ? attempt : { error: null, ticket: attempt.ticket };
}

async function signInWithCode(ticket: string, form: FormData, incomingHeaders: Headers): Promise<SignInResult> {
  const person = await finishSignIn(ticket, textOf(form, "code"), incomingHeaders);
  if (person) return { person };
  const t = await translations();
  return { error: t("signIn.errorWrongCode"), ticket };
}

/**
 * Ends this browser's session, so that a copy of its cookie is useless too. `person`: whom the page was rendered for.
 * If another person has signed in since, ends nothing and shows their portal.
 */
export async function signOutAction(person: string): Promise<void> {
  const actor = await memberOf(await headers());
  if (actor && actor.id !== person) {
    revalidatePath("/portal", "layout"); // otherwise the tab keeps the previous person's layout
    redirect("/portal");
  }
  if (actor?.session) await endSession(actor.id, actor.session);
  (await cookies()).delete({ name: sessionCookie(), path: "/" });
  redirect("/portal/sign-in");
}
