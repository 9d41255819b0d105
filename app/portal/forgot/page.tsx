import { useWords } from "#words";
import { chooseLanguageAction } from "@/app/portal/_language";
import { forgotAction } from "@/app/portal/forgot/_actions";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { SignInLayout } from "@/components/portal/sign-in-layout";
import { StepForm } from "@/components/portal/step-form";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { titled } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("Forgot your password");

export default function ForgotPage() {
  const t = useWords();
  return (
    <SignInLayout
      languages={<LanguageSwitch action={chooseLanguageAction} />}
      title={t("Forgot your password?")}
      below={
        <Link href="/portal/sign-in" className="link">
          {t("Back to sign-in")}
        </Link>
      }
    >
      <StepForm
        action={forgotAction}
        first={{ step: "ask", error: null, kept: {} }}
        steps={{
          ask: {
            fields: [
              {
                name: "who",
                label: t("User name or e-mail address"),
                maxLength: 320,
                autoComplete: "username",
                autoCapitalize: "none",
                spellCheck: false,
              },
            ],
            button: t("Mail me a link"),
            doing: t("Sending …"),
          },
          sent: {
            said: (
              <Notice tone="good" alert>
                {t(
                  "If we know you and your address, a mail with a link is on its way. The link works for an hour. If none comes, an admin of your shop can help.",
                )}
              </Notice>
            ),
          },
        }}
      />
    </SignInLayout>
  );
}
