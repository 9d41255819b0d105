import type { Actor } from "@/lib/accounts/actor";
import { actorOfKey } from "@/lib/accounts/sign-in/api-key";
import { demoAllowedFor } from "@/lib/accounts/sign-in/demo";
import { actorOfCookies } from "@/lib/accounts/sign-in/session-cookie";
import { failuresFor, failuresFrom } from "@/lib/accounts/sign-in/sign-in-failures";
import { signIn } from "@/lib/accounts/sign-in/user";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { PERSON_HEADER } from "@/lib/platform/http/values";
import type { Reason } from "@/lib/platform/issue";

export type Credentials = { headers: Headers; url: URL; method: string; address: string };

const unauthorizedError = (reason: Reason, challenge = 'Basic realm="Candor"') =>
  new AppError("unauthorized", { reason, headers: { "WWW-Authenticate": challenge } });

/**
 * For scripts of our own pages whose session ended: Basic would make the browser open its own password prompt. With a
 * scheme the browser doesn't know, the page handles the response.
 */
const challengeFor = (headers: Headers): string | undefined =>
  headers.get("sec-fetch-site") === "same-origin" && headers.get("sec-fetch-mode") !== "navigate"
    ? 'Session realm="Candor"'
    : undefined;

/**
 * The caller of the management API, by one of: `Authorization: Bearer <key>`; Basic with the key as user name and an
 * empty password; Basic with a portal login; `token=<key>` in the query; the portal's session from its own pages. The
 * header wins over the query; a wrong credential is `unauthorized`, never a fallback to another. Failures are counted
 * per address (50 in 10 minutes), and per user name like those of the portal's sign-in.
 */
export async function authenticateRequest(request: Credentials): Promise<Actor> {
  const header = request.headers.get("authorization");
  const token = request.url.searchParams.get("token");
  if (header === null && token === null) {
    const session = await actorOfSameOriginSession(request);
    if (session) return session;
    throw unauthorizedError("no_credentials", challengeFor(request.headers));
  }
  const failures = failuresFrom(request.address);
  failures.throwIfTooMany();
  const found = header !== null ? await fromHeader(header, request.address) : await actorOfKey(token ?? "");
  // Checked again: others failed in the meantime. Otherwise all of many concurrent guesses would be answered.
  failures.throwIfTooMany();
  if (!found || (found.demo && !demoAllowedFor(request.headers))) {
    failures.count();
    throw unauthorizedError("credentials_wrong");
  }
  return found.actor;
}

/** The portal's session, if the request comes from the portal's own pages. Throws `unauthorized` otherwise. */
export async function authenticateSession(request: Credentials): Promise<Actor> {
  const actor = await actorOfSameOriginSession(request);
  if (!actor) throw unauthorizedError("not_signed_in", challengeFor(request.headers));
  return actor;
}

async function fromHeader(header: string, address: string): Promise<{ actor: Actor; demo: boolean } | null> {
  const [, scheme = "", value = ""] = /^(\S+)\s(.*)/.exec(header) ?? [];
  if (/^bearer$/i.test(scheme)) return actorOfKey(value.trim());
  if (!/^basic$/i.test(scheme)) return null;
  const pair = Buffer.from(value.trim(), "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon < 0 || pair.includes("\0")) return null; // names and keys contain no NUL, and PostgreSQL rejects it in a parameter
  const username = pair.slice(0, colon);
  const password = pair.slice(colon + 1);
  if (password === "") return actorOfKey(username);
  const failures = failuresFor(username, address);
  failures.throwIfTooMany();
  const person = await signIn(username, password);
  failures.throwIfTooMany();
  if (!person) {
    failures.count();
    return null;
  }
  // The password alone isn't enough with two-factor authentication: such a person creates an API key.
  if (person.secondFactor) throw unauthorizedError("password_alone");
  return person;
}

async function actorOfSameOriginSession(request: Credentials): Promise<Actor | null> {
  if (!isSameOrigin(request)) return null;
  const session = await actorOfCookies(request.headers.get("cookie"));
  if (!session || (session.demo && !demoAllowedFor(request.headers))) return null;
  requireSamePerson(request.headers, session.actor);
  return session.actor;
}

/**
 * A browser has one session, which changes if another person signs in in a second tab. A page that still shows the
 * first person's name must not act for either of them.
 */
function requireSamePerson(headers: Headers, { id }: Actor): void {
  const renderedFor = headers.get(PERSON_HEADER);
  if (renderedFor !== null && renderedFor !== id) throw new AppError("forbidden", { reason: "other_person_signed_in" });
}

/**
 * Whether the request comes from our own page: `Origin` equals the request's own origin or PUBLIC_URL. Reads may lack
 * it (browsers send none for same-origin GET) unless the browser marks them as cross-site.
 */
export function isSameOrigin({ headers, url, method }: Pick<Credentials, "headers" | "url" | "method">): boolean {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  if (origin !== null) {
    const host = headers.get("host");
    return origin === env().PUBLIC_URL || (host !== null && origin === `${url.protocol}//${host}`);
  }
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  return method === "GET" || method === "HEAD" || site === "same-origin";
}
