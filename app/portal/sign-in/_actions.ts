"use server";

import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import type { SignInState } from "@/components/portal/sign-in-form";
import { memberOf } from "@/lib/auth/member";
import { newSessionCookie } from "@/lib/auth/next-auth";
import { endSession } from "@/lib/auth/portal-session";
import { signInToPortal } from "@/lib/auth/portal-sign-in";
import { ownPath } from "@/lib/auth/rules";
import { sessionCookie } from "@/lib/auth/session";
import { AppError } from "@/lib/errors";

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** Signs in with the form's user name and password and goes on to where the person wanted to be. */
export async function signInAction(_state: SignInState, form: FormData): Promise<SignInState> {
  const username = textOf(form, "username").trim();
  const password = textOf(form, "password");
  if (!username || !password) return { error: "Enter your user name and your password.", username };
  try {
    const asked = await headers();
    const person = await signInToPortal(username, password, asked);
    if (!person) return { error: "The user name or the password is not right.", username };
    (await cookies()).set(await newSessionCookie(person, asked));
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") return { error: error.message, username };
    throw error;
  }
  redirect(ownPath(form.get("to")));
}

/** Ends the session of this browser, so that a copy of its cookie opens nothing either. */
export async function signOutAction(): Promise<void> {
  const actor = await memberOf(await headers());
  if (actor?.session) await endSession(actor.id, actor.session);
  (await cookies()).delete({ name: sessionCookie(), path: "/" });
  redirect("/portal/sign-in");
}
