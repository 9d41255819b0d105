import Link from "next/link";
import { useWords } from "#words";
import { chooseLanguageAction } from "@/app/portal/_language";
import { forgotAction } from "@/app/portal/forgot/_actions";
import { Door } from "@/components/portal/door";
import { ForgotForm } from "@/components/portal/forgot-form";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { titled } from "@/lib/words/of-request";

export const generateMetadata = () => titled("Forgot your password");

export default function ForgotPage() {
  const t = useWords();
  return (
    <Door
      languages={<LanguageSwitch action={chooseLanguageAction} />}
      title={t("Forgot your password?")}
      below={
        <Link href="/portal/sign-in" className="link">
          {t("Back to sign-in")}
        </Link>
      }
    >
      <ForgotForm action={forgotAction} />
    </Door>
  );
}
