import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { param, type Search, signedIn } from "@/app/_guard";
import { signInAction } from "@/app/portal/sign-in/_actions";
import { Door } from "@/components/portal/door";
import { SignInForm } from "@/components/portal/sign-in-form";
import { Notice } from "@/components/ui/notice";
import { ownPath } from "@/lib/auth/rules";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams;
  const to = ownPath(param(search, "to") ?? param(search, "callbackUrl"));
  if (await signedIn()) redirect(to);
  // next-auth's own addresses come back here with a code.
  const error = param(search, "error") ? "The user name or the password is not right." : null;
  return (
    <Door
      title="Sign in"
      below={
        <>
          No access? An admin of your shop can invite you.{" "}
          <Link href="/portal/forgot" className="link">
            Forgot your password?
          </Link>
        </>
      }
    >
      {param(search, "set") !== undefined && (
        <div className="mb-5">
          <Notice tone="good">Your password is set. Sign in with it.</Notice>
        </div>
      )}
      <SignInForm action={signInAction} to={to} error={error} />
    </Door>
  );
}
