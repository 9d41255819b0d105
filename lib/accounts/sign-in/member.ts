import type { Actor } from "@/lib/accounts/actor";
import { demoAllowedFor } from "@/lib/accounts/sign-in/demo";
import { actorOfCookies } from "@/lib/accounts/sign-in/session-cookie";

/** The person viewing a page, by the session cookie in the request's headers; null if signed out. Pages only read. */
export async function memberOf(headers: Headers): Promise<Actor | null> {
  const session = await actorOfCookies(headers.get("cookie"));
  if (!session || (session.demo && !demoAllowedFor(headers))) return null;
  return session.actor;
}
