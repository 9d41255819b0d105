import { createHash } from "node:crypto";
import { cookieValue, secureCookies } from "@/lib/accounts/sign-in/session-cookie";
import { now } from "@/lib/platform/clock";
import { readToken, signToken } from "@/lib/platform/http/signed-token";
import { newId } from "@/lib/platform/ids";

// A sign-in leaves a signed cookie in the browser (OWASP's device cookie): failed sign-ins elsewhere don't lock that
// browser out. The cookie grants no access.

const PURPOSE = "known-device/1";
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

const cookieName = (): string => (secureCookies() ? "__Secure-candor-device" : "candor-device");

/** A user name as stored in the cookie. */
const hashOf = (username: string): string => createHash("sha256").update(username).digest("base64url");

/** The id of the browser that sends these headers, if this user name signed in there before; else null. */
export function readKnownDevice(username: string, headers: Headers): string | null {
  const token = cookieValue(headers.get("cookie"), cookieName());
  const [name, id, ends] = (token && readToken(PURPOSE, token, 3)) || [];
  return name === hashOf(username) && Number(ends) > now().getTime() ? (id ?? null) : null;
}

/** The device cookie after a sign-in with this user name; a known browser keeps its id. */
export function knownDeviceCookie(username: string, headers: Headers) {
  const id = readKnownDevice(username, headers) ?? newId("dev");
  const ends = now().getTime() + MAX_AGE_SECONDS * 1_000;
  return {
    name: cookieName(),
    value: signToken(PURPOSE, [hashOf(username), id, String(ends)]),
    httpOnly: true,
    sameSite: "lax" as const,
    path: "/",
    secure: secureCookies(),
    maxAge: MAX_AGE_SECONDS,
  };
}
