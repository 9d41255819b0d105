import type { Metadata } from "next";
import { segment } from "@/app/_guard";
import { chooseLanguageAction } from "@/app/portal/_language";
import { setPasswordAction } from "@/app/portal/password/[token]/_actions";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { SignInLayout } from "@/components/portal/sign-in-layout";
import { StepForm } from "@/components/portal/step-form";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { openPasswordLink } from "@/lib/accounts/password-links";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";
import { PASSWORD } from "@/lib/accounts/values";

export const generateMetadata = async (): Promise<Metadata> => ({
  ...(await titled("Set a password")),
  robots: { index: false },
});

/** The page behind a mailed link. Opening it changes nothing: mail programs open links too. */
export default async function PasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const t = await words();
  const token = segment((await params).token);
  const link = await openPasswordLink(token);
  const over = (
    <div className="flex flex-col gap-5">
      <Notice tone="warn">{t("This link was used already, or it has run out. Ask for a new one.")}</Notice>
      <Link href="/portal/forgot" className={buttonClass({ look: "primary", size: "large" })}>
        {t("Mail me a new link")}
      </Link>
    </div>
  );
  const secret = { type: "password", maxLength: PASSWORD.most, autoComplete: "new-password" };
  return (
    <SignInLayout
      languages={<LanguageSwitch action={chooseLanguageAction} />}
      title={link?.kind === "invitation" ? t("Welcome. Set your password") : t("Set a new password")}
      below={
        <Link href="/portal/sign-in" className="link">
          {t("To sign-in")}
        </Link>
      }
    >
      {link ? (
        <StepForm
          action={setPasswordAction.bind(null, token)}
          first={{ step: "set", error: null, kept: { username: link.username } }}
          steps={{
            set: {
              fields: [
                { name: "username", label: t("User name"), readOnly: true, autoComplete: "username" },
                {
                  ...secret,
                  name: "password",
                  label: t("New password"),
                  hint: t("At least {least} characters. A sentence is best.", { least: PASSWORD.least }),
                  minLength: PASSWORD.least,
                },
                { ...secret, name: "again", label: t("Once more") },
              ],
              button: t("Set the password"),
              doing: t("Setting …"),
            },
            over: { said: over },
          }}
        />
      ) : (
        over
      )}
    </SignInLayout>
  );
}
