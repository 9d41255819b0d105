import type { NextAuthOptions } from "next-auth";
import { encode, type JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { signInToPortal } from "@/lib/auth/portal-sign-in";
import { secureCookies, sessionCookie, sessionSecret } from "@/lib/auth/session";
import { actorOfSession, type SignedIn } from "@/lib/auth/user";

// next-auth takes the address it is reached by from the request, so that signing in works on every name the server
// answers to (localhost and 127.0.0.1 alike). Redirects stay on that origin.
process.env.AUTH_TRUST_HOST ??= "true";

/** Seconds a signed-in browser stays signed in. */
const SESSION_SECONDS = 14 * 24 * 60 * 60;

const claimsOf = (person: SignedIn): JWT => ({
  sub: person.actor.id,
  name: person.actor.name,
  version: person.sessionVersion,
});

const cookieOptions = () => ({ httpOnly: true, sameSite: "lax", path: "/", secure: secureCookies() }) as const;

/** The session cookie of somebody who just signed in: what next-auth sets itself, for the form that needs no script. */
export async function newSessionCookie(person: SignedIn) {
  const value = await encode({ token: claimsOf(person), secret: sessionSecret(), maxAge: SESSION_SECONDS });
  return { name: sessionCookie(), value, ...cookieOptions(), maxAge: SESSION_SECONDS };
}

/** Sign-in of the portal: user name and password, a signed token in a cookie, everything else read fresh. */
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
      credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
      async authorize(given, request) {
        const headers = new Headers(request.headers as Record<string, string> | undefined);
        const person = await signInToPortal(given?.username ?? "", given?.password ?? "", headers);
        return person ? { id: person.actor.id, name: person.actor.name, version: person.sessionVersion } : null;
      },
    }),
  ],
  callbacks: {
    jwt({ token, user }) {
      if (user && "version" in user) return { sub: user.id, name: user.name, version: user.version };
      return token;
    },
    async session({ session, token }) {
      // A token outlives a password change; what it opens does not.
      const known =
        typeof token.sub === "string" && typeof token.version === "number"
          ? await actorOfSession(token.sub, token.version)
          : null;
      return { ...session, user: known ? { name: known.actor.name, role: known.actor.role } : undefined };
    },
  },
});
