import type { Metadata } from "next";
import Link from "next/link";
import { segment } from "@/app/_guard";
import { setPasswordAction } from "@/app/portal/password/[token]/_actions";
import { Door } from "@/components/portal/door";
import { LinkIsOver, SetPasswordForm } from "@/components/portal/set-password-form";
import { openPasswordLink } from "@/lib/accounts/password-links";

export const metadata: Metadata = { title: "Set a password", robots: { index: false } };

/** The page behind a mailed link. Opening it changes nothing: mail programs open links too. */
export default async function PasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const token = segment((await params).token);
  const link = await openPasswordLink(token);
  return (
    <Door
      title={link?.kind === "invitation" ? "Welcome. Set your password" : "Set a new password"}
      below={
        <Link href="/portal/sign-in" className="link">
          To sign-in
        </Link>
      }
    >
      {link ? (
        <SetPasswordForm action={setPasswordAction.bind(null, token)} username={link.username} />
      ) : (
        <LinkIsOver />
      )}
    </Door>
  );
}
