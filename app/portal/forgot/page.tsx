import { useTranslations } from "#messages";
import { setLanguageAction } from "@/app/portal/_language";
import { forgotAction } from "@/app/portal/forgot/_actions";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { SignInLayout } from "@/components/portal/sign-in-layout";
import { StepForm } from "@/components/portal/step-form";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { titleMetadata } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("signIn.forgotTitle");

export default function ForgotPage() {
  const t = useTranslations();
  return (
    <SignInLayout
      languages={<LanguageSwitch action={setLanguageAction} />}
      title={t("signIn.forgotPassword")}
      below={
        <Link href="/portal/sign-in" className="link">
          {t("signIn.backToSignIn")}
        </Link>
      }
    >
      <StepForm
        action={forgotAction}
        first={{ step: "ask", error: null, fieldValues: {} }}
        steps={{
          ask: {
            fields: [
              {
                name: "who",
                label: t("signIn.usernameOrEmail"),
                maxLength: 320,
                autoComplete: "username",
                autoCapitalize: "none",
                spellCheck: false,
              },
            ],
            button: t("signIn.sendLink"),
            doing: t("common.sending"),
          },
          sent: {
            content: (
              <Notice tone="good" alert>
                {t("signIn.linkSent")}
              </Notice>
            ),
          },
        }}
      />
    </SignInLayout>
  );
}
