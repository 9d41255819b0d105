import type { Actor } from "@/lib/auth/actor";
import { demoAllowedFor } from "@/lib/auth/demo";
import { actorOfCookies } from "@/lib/auth/session";

/** Who looks at a page, by the session cookie among the request's headers; null when signed out. Pages only read. */
export async function memberOf(headers: Headers): Promise<Actor | null> {
  const session = await actorOfCookies(headers.get("cookie"));
  if (!session || (session.demo && !demoAllowedFor(headers))) return null;
  return session.actor;
}
