import type { Metadata } from "next";
import { decodeSegment } from "@/app/_guard";
import { setLanguageAction } from "@/app/portal/_language";
import { setPasswordAction } from "@/app/portal/password/[token]/_actions";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { SignInLayout } from "@/components/portal/sign-in-layout";
import { StepForm } from "@/components/portal/step-form";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { openPasswordLink } from "@/lib/accounts/password-links";
import { PASSWORD } from "@/lib/accounts/values";

export const generateMetadata = async (): Promise<Metadata> => ({
  ...(await titleMetadata("signIn.setPasswordTitle")),
  robots: { index: false },
});

/** The page behind an emailed link. Opening it changes nothing, because mail programs open links too. */
export default async function PasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const t = await translations();
  const token = decodeSegment((await params).token);
  const link = await openPasswordLink(token);
  const expiredMessage = (
    <div className="flex flex-col gap-5">
      <Notice tone="warn">{t("signIn.errorLinkExpired")}</Notice>
      <Link href="/portal/forgot" className={buttonClass({ variant: "primary", size: "large" })}>
        {t("signIn.requestNewLink")}
      </Link>
    </div>
  );
  const secret = { type: "password", maxLength: PASSWORD.max, autoComplete: "new-password" };
  return (
    <SignInLayout
      languages={<LanguageSwitch action={setLanguageAction} />}
      title={link?.kind === "invitation" ? t("signIn.welcomeTitle") : t("signIn.setNewPassword")}
      below={
        <Link href="/portal/sign-in" className="link">
          {t("signIn.goToSignIn")}
        </Link>
      }
    >
      {link ? (
        <StepForm
          action={setPasswordAction.bind(null, token)}
          first={{ step: "set", error: null, fieldValues: { username: link.username } }}
          steps={{
            set: {
              fields: [
                { name: "username", label: t("common.username"), readOnly: true, autoComplete: "username" },
                {
                  ...secret,
                  name: "password",
                  label: t("common.newPassword"),
                  hint: t("common.passwordHint", { least: PASSWORD.min }),
                  minLength: PASSWORD.min,
                },
                { ...secret, name: "again", label: t("signIn.repeatPassword") },
              ],
              button: t("signIn.setPassword"),
              doing: t("signIn.saving"),
            },
            over: { content: expiredMessage },
          }}
        />
      ) : (
        expiredMessage
      )}
    </SignInLayout>
  );
}
