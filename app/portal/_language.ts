"use server";

import { cookies } from "next/headers";
import { LANGUAGE_COOKIE } from "@/lib/accounts/sign-in/request-language";
import { secureCookies } from "@/lib/accounts/sign-in/session";
import { languages } from "@/lib/platform/i18n/languages";

/** Has the portal speak a language in this browser, where nobody chose one for their login. */
export async function setLanguageAction(form: FormData): Promise<void> {
  const selected = languages.find((language) => language === form.get("language"));
  if (!selected) return;
  (await cookies()).set({
    name: LANGUAGE_COOKIE,
    value: selected,
    path: "/",
    maxAge: 31_536_000,
    sameSite: "lax",
    httpOnly: true,
    secure: secureCookies(),
  });
}
