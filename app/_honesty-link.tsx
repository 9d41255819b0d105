import { honestyPageUrl } from "@/lib/platform/http/honesty-page";
import type { Language } from "@/lib/platform/i18n/languages";
import { publicText } from "@/lib/platform/i18n/public-texts";

/** A link to the public page on how the store handles reviews. */
export function HonestyLink({ clientId, language }: { clientId: string; language: Language }) {
  return (
    <a href={honestyPageUrl(clientId, language)} target="_top" className="link text-sm">
      {publicText(language)("honesty.link")}
    </a>
  );
}
