"use server";

import { cookies } from "next/headers";
import { ROWS_COOKIE } from "@/app/portal/(member)/_rows";
import { secureCookies } from "@/lib/accounts/sign-in/session-cookie";

/** Sets how much space the rows of lists have, in this browser. */
export async function setRowsAction(form: FormData): Promise<void> {
  const jar = await cookies();
  if (form.get("rows") !== "compact") {
    jar.delete({ name: ROWS_COOKIE, path: "/portal" });
    return;
  }
  jar.set({
    name: ROWS_COOKIE,
    value: "compact",
    path: "/portal",
    maxAge: 31_536_000,
    sameSite: "lax",
    httpOnly: true,
    secure: secureCookies(),
  });
}
