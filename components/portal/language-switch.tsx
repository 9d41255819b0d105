import { useTranslations } from "#messages";
import { ownLanguageName } from "@/components/accounts/labels";
import { languages } from "@/lib/platform/i18n/languages";

/** Selects the portal's language in this browser. Plain form buttons: it works without JavaScript. */
export function LanguageSwitch({ action }: { action: (form: FormData) => Promise<void> }) {
  const t = useTranslations();
  return (
    <form action={action} aria-label={t("common.language")} className="flex flex-wrap justify-center gap-x-1 gap-y-1">
      {languages.map((language) => (
        <button
          key={language}
          type="submit"
          name="language"
          value={language}
          lang={language}
          aria-current={language === t.language ? "true" : undefined}
          className="min-h-8 rounded-control px-2 text-sm text-muted hover:bg-sunken hover:text-ink aria-[current=true]:bg-sunken aria-[current=true]:font-medium aria-[current=true]:text-ink"
        >
          {ownLanguageName(language)}
        </button>
      ))}
    </form>
  );
}
