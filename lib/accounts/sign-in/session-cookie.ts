import { decode } from "next-auth/jwt";
import { actorOfSession } from "@/lib/accounts/sign-in/user";
import { env, secretKey } from "@/lib/platform/env";

/** The key that signs portal sessions. */
export const sessionSecret = (): string => secretKey("session/1").toString("hex");

/** Whether cookies are sent over https only: depends on the public address. */
export const secureCookies = (): boolean => env().PUBLIC_URL.startsWith("https://");

/** The session cookie's name; browsers enforce what the prefix promises (Secure). */
export const sessionCookie = (): string =>
  secureCookies() ? "__Secure-next-auth.session-token" : "next-auth.session-token";

/**
 * The signed-in person of a request's cookies, or null. The token names a person and a session; the rest is read fresh.
 */
export async function actorOfCookies(cookies: string | null) {
  const token = cookieValue(cookies, sessionCookie());
  if (!token) return null;
  const claims = await decode({ token, secret: sessionSecret() }).catch(() => null); // a forged or expired token is no session
  if (typeof claims?.sub !== "string" || typeof claims.sid !== "string") return null;
  return actorOfSession(claims.sub, claims.sid);
}

/** The decoded value of a cookie of a request; null if there is none. */
export function cookieValue(header: string | null, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const split = part.indexOf("=");
    if (split <= 0 || part.slice(0, split).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(split + 1).trim());
    } catch {
      return null; // not set by us: our cookies decode
    }
  }
  return null;
}
