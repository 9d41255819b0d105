import { redirect } from "next/navigation";
import { param, type Search, signedIn } from "@/app/_guard";
import { chooseLanguageAction } from "@/app/portal/_language";
import { signInAction } from "@/app/portal/sign-in/_actions";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { SignInLayout } from "@/components/portal/sign-in-layout";
import { StepForm } from "@/components/portal/step-form";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";
import { ownPath } from "@/lib/accounts/sign-in/rules";

export const generateMetadata = () => titled("Sign in");

export default async function SignInPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  const search = await searchParams;
  const to = ownPath(param(search, "to") ?? param(search, "callbackUrl"));
  if (await signedIn()) redirect(to);
  // next-auth's own addresses come back here with a code.
  const error = param(search, "error") ? t("The user name or the password is not right.") : null;
  const buttons = { button: t("Sign in"), doing: t("Signing in…") };
  return (
    <SignInLayout
      languages={<LanguageSwitch action={chooseLanguageAction} />}
      title={t("Sign in")}
      below={t.rich("No access? An admin of your shop can invite you. {link}", {
        link: (
          <Link href="/portal/forgot" className="link whitespace-nowrap">
            {t("Forgot your password?")}
          </Link>
        ),
      })}
    >
      {param(search, "set") !== undefined && (
        <div className="mb-5">
          <Notice tone="good">{t("Your password is set. Sign in with it.")}</Notice>
        </div>
      )}
      <StepForm
        action={signInAction}
        first={{ step: "password", error, kept: { to } }}
        steps={{
          password: {
            ...buttons,
            fields: [
              {
                name: "username",
                label: t("User name"),
                maxLength: 320,
                autoComplete: "username",
                autoCapitalize: "none",
                spellCheck: false,
              },
              {
                name: "password",
                label: t("Password"),
                type: "password",
                maxLength: 1_000,
                autoComplete: "current-password",
              },
            ],
          },
          code: {
            ...buttons,
            fields: [
              {
                name: "code",
                label: t("Code"),
                hint: t(
                  "The six digits that your authenticator app shows, or one of the codes you kept for a lost app.",
                ),
                maxLength: 20,
                autoComplete: "one-time-code",
                autoCapitalize: "none",
                spellCheck: false,
                focus: true,
              },
            ],
          },
        }}
      />
    </SignInLayout>
  );
}
