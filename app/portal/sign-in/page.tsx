import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { param, type Search, signedIn } from "@/app/_guard";
import { signInAction } from "@/app/portal/sign-in/_actions";
import { SignInForm } from "@/components/portal/sign-in-form";
import { Wordmark } from "@/components/ui/wordmark";
import { ownPath } from "@/lib/auth/rules";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams;
  const to = ownPath(param(search, "to") ?? param(search, "callbackUrl"));
  if (await signedIn()) redirect(to);
  // next-auth's own addresses come back here with a code.
  const error = param(search, "error") ? "The user name or the password is not right." : null;
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-12">
      <div className="w-full max-w-sm">
        <div className="mb-8 flex justify-center">
          <Wordmark large />
        </div>
        <div className="rounded-card border border-line bg-raised p-6 shadow-raised sm:p-8">
          <h1 className="mb-6 text-xl font-semibold">Sign in</h1>
          <SignInForm action={signInAction} to={to} error={error} />
        </div>
        <p className="mt-6 text-center text-sm text-muted">
          No access, or a forgotten password? The operator of this server can help.
        </p>
      </div>
    </main>
  );
}
