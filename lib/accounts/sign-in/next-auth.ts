import { cookies } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import { encode, type JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { knownDeviceCookie } from "@/lib/accounts/sign-in/known-device";
import { signInToPortal } from "@/lib/accounts/sign-in/portal-sign-in";
import { secureCookies, sessionCookie, sessionSecret } from "@/lib/accounts/sign-in/session-cookie";
import { endSession, openSession } from "@/lib/accounts/sign-in/session-store";
import { actorOfSession, type SignedIn } from "@/lib/accounts/sign-in/user";

// next-auth takes its own address from the request, so that sign-in works on every name the server answers to
// (localhost and 127.0.0.1 alike). Redirects stay on that origin.
process.env.AUTH_TRUST_HOST ??= "true";

/** Lifetime of a session in seconds. */
const SESSION_SECONDS = 14 * 24 * 60 * 60;

/** Claims of a session token: the person and the session. Everything else is read fresh. */
const claimsOf = async (person: SignedIn, headers: Headers) => ({
  sub: person.actor.id,
  name: person.actor.name,
  sid: await openSession(person, headers),
});

const cookieOptions = () => ({ httpOnly: true, sameSite: "lax", path: "/", secure: secureCookies() }) as const;

/**
 * Opens a session after a sign-in and returns its cookie: what next-auth sets itself, for the form that works without
 * scripts. The request's `headers` describe the session to the person.
 */
export async function newSessionCookie(person: SignedIn, headers: Headers) {
  const token: JWT = await claimsOf(person, headers);
  const value = await encode({ token, secret: sessionSecret(), maxAge: SESSION_SECONDS });
  return { name: sessionCookie(), value, ...cookieOptions(), maxAge: SESSION_SECONDS };
}

/** Portal sign-in: user name and password, a signed token in a cookie, everything else read fresh. */
export const authOptions = (): NextAuthOptions => ({
  secret: sessionSecret(),
  session: { strategy: "jwt", maxAge: SESSION_SECONDS },
  useSecureCookies: secureCookies(),
  cookies: { sessionToken: { name: sessionCookie(), options: cookieOptions() } },
  pages: { signIn: "/portal/sign-in", signOut: "/portal/sign-in", error: "/portal/sign-in" },
  providers: [
    Credentials({
      id: "credentials",
      name: "Candor",
      credentials: {
        username: { label: "User name" },
        password: { label: "Password", type: "password" },
        code: { label: "Code" },
      },
      async authorize(given, request) {
        const headers = new Headers(request.headers as Record<string, string> | undefined);
        const person = await signInToPortal(given?.username ?? "", given?.password ?? "", headers, given?.code ?? "");
        if (!person) return null;
        (await cookies()).set(knownDeviceCookie(person.actor.name, headers));
        const { sub, name, sid } = await claimsOf(person, headers);
        return { id: sub, name, sid };
      },
    }),
  ],
  callbacks: {
    jwt({ token, user }) {
      if (user && "sid" in user) return { sub: user.id, name: user.name, sid: user.sid };
      return token;
    },
    async session({ session, token }) {
      // The token itself stays valid after a password change; its session doesn't.
      const known =
        typeof token.sub === "string" && typeof token.sid === "string"
          ? await actorOfSession(token.sub, token.sid)
          : null;
      return { ...session, user: known ? { name: known.actor.name, role: known.actor.role } : undefined };
    },
  },
  events: {
    async signOut({ token }) {
      if (typeof token?.sub === "string" && typeof token.sid === "string") await endSession(token.sub, token.sid);
    },
  },
});
