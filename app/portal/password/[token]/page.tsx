import type { Metadata } from "next";
import Link from "next/link";
import { segment } from "@/app/_guard";
import { chooseLanguageAction } from "@/app/portal/_language";
import { setPasswordAction } from "@/app/portal/password/[token]/_actions";
import { Door } from "@/components/portal/door";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { LinkIsOver, SetPasswordForm } from "@/components/portal/set-password-form";
import { openPasswordLink } from "@/lib/accounts/password-links";
import { titled, words } from "@/lib/words/of-request";

export const generateMetadata = async (): Promise<Metadata> => ({
  ...(await titled("Set a password")),
  robots: { index: false },
});

/** The page behind a mailed link. Opening it changes nothing: mail programs open links too. */
export default async function PasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const t = await words();
  const token = segment((await params).token);
  const link = await openPasswordLink(token);
  return (
    <Door
      languages={<LanguageSwitch action={chooseLanguageAction} />}
      title={link?.kind === "invitation" ? t("Welcome. Set your password") : t("Set a new password")}
      below={
        <Link href="/portal/sign-in" className="link">
          {t("To sign-in")}
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
