import type { ComponentProps } from "react";
import { useTranslations } from "#messages";
import { languageLabel, languages, languagesByName, sourceLabels } from "@/components/moderation/labels";
import { reasonLabel } from "@/components/moderation/reject-reasons";
import { Select } from "@/components/ui/field";
import { reviewSources } from "@/lib/moderation/queue/values";
import { rejectReasons } from "@/lib/reviews/decisions/schema";

// Filters that several lists have, for a row of filters.

/** `name`: in a form. `value`, or `defaultValue` of a form that keeps it: empty for any. */
type Props = Pick<ComponentProps<"select">, "name" | "value" | "defaultValue" | "onChange">;

export function SourceSelect(props: Props) {
  const t = useTranslations();
  return (
    <Select {...props} aria-label={t("queue.source")} compact>
      <option value="">{t("queue.anySource")}</option>
      {reviewSources.map((source) => (
        <option key={source} value={source}>
          {t(sourceLabels[source])}
        </option>
      ))}
    </Select>
  );
}

export function LanguageSelect(props: Props) {
  const t = useTranslations();
  const chosen = String(props.value ?? props.defaultValue ?? "");
  return (
    <Select {...props} aria-label={t("common.language")} compact className="max-w-36">
      <option value="">{t("queue.anyLanguage")}</option>
      {chosen && !languages.includes(chosen) && <option value={chosen}>{languageLabel(chosen, t.language)}</option>}
      {languagesByName(t.language).map((code) => (
        <option key={code} value={code}>
          {languageLabel(code, t.language)}
        </option>
      ))}
    </Select>
  );
}

export function ReasonSelect(props: Props) {
  const t = useTranslations();
  return (
    <Select {...props} aria-label={t("queue.reason")} compact className="max-w-44">
      <option value="">{t("queue.anyReason")}</option>
      {rejectReasons.map((reason) => (
        <option key={reason} value={reason}>
          {reasonLabel(reason, t)}
        </option>
      ))}
    </Select>
  );
}
