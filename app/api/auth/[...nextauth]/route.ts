import NextAuth from "next-auth";
import { authOptions } from "@/lib/accounts/sign-in/next-auth";

type Context = { params: Promise<{ nextauth: string[] }> };

// Created per request, because settings are read when the server runs and not at build time.
const handler = (request: Request, context: Context): Promise<Response> => NextAuth(authOptions())(request, context);

export { handler as GET, handler as POST };
