"use server";

import { cookies } from "next/headers";
import { LANGUAGE_COOKIE } from "@/lib/accounts/language/request-language";
import { secureCookies } from "@/lib/accounts/sign-in/session-cookie";
import { languages } from "@/lib/platform/i18n/languages";

/** Sets the portal's language in this browser, for people without a language in their profile. */
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
