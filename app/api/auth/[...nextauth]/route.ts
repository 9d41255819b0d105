import NextAuth from "next-auth";
import { authOptions } from "@/lib/accounts/sign-in/next-auth";

type Context = { params: Promise<{ nextauth: string[] }> };

// Made for the request: the settings are read when the server runs, not when it is built.
const handler = (request: Request, context: Context): Promise<Response> => NextAuth(authOptions())(request, context);

export { handler as GET, handler as POST };
