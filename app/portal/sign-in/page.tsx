import { redirect } from "next/navigation";
import { currentActor, param, type Search } from "@/app/_guard";
import { setLanguageAction } from "@/app/portal/_language";
import { signInAction } from "@/app/portal/sign-in/_actions";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { SignInLayout } from "@/components/portal/sign-in-layout";
import { StepForm } from "@/components/portal/step-form";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { safeReturnPath } from "@/lib/accounts/sign-in/rules";

export const generateMetadata = () => titleMetadata("signIn.signIn");

export default async function SignInPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const to = safeReturnPath(param(search, "to") ?? param(search, "callbackUrl"));
  if (await currentActor()) redirect(to);
  // next-auth's own pages redirect here with an error code.
  const error = param(search, "error") ? t("signIn.errorWrongPassword") : null;
  const buttons = { button: t("signIn.signIn"), doing: t("signIn.signingIn") };
  return (
    <SignInLayout
      languages={<LanguageSwitch action={setLanguageAction} />}
      title={t("signIn.signIn")}
      below={t.rich("signIn.noAccess", {
        link: (
          <Link href="/portal/forgot" className="link whitespace-nowrap">
            {t("signIn.forgotPassword")}
          </Link>
        ),
      })}
    >
      {param(search, "set") !== undefined && (
        <div className="mb-5">
          <Notice tone="good">{t("signIn.passwordSaved")}</Notice>
        </div>
      )}
      <StepForm
        action={signInAction}
        first={{ step: "password", error, fieldValues: { to } }}
        steps={{
          password: {
            ...buttons,
            fields: [
              {
                name: "username",
                label: t("common.username"),
                maxLength: 320,
                autoComplete: "username",
                autoCapitalize: "none",
                spellCheck: false,
              },
              {
                name: "password",
                label: t("common.password"),
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
                label: t("signIn.code"),
                hint: t("signIn.codeHint"),
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
