import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import type { Shop } from "@/lib/moderation/rules/rule-input";
import { log } from "@/lib/platform/log";
import { languageOf } from "@/lib/reviews/reviews/detect-language";

type Settings = Pick<ClientRow, "id" | "locale" | "contact_url" | "allowed_origins">;

/** The client's data that rules use: its language, country and own domains. */
export const shopOf = ({ id, locale, contact_url, allowed_origins }: Settings): Shop => ({
  languages: [languageOf(locale)],
  country: countryOf(locale),
  domains: [...(id.includes(".") ? [id] : []), ...hosts([contact_url, ...allowed_origins])].map((host) =>
    host.toLowerCase().replace(/^www\./, ""),
  ),
});

/** The country of a locale (`sv_SE`), or the main country of its language. */
function countryOf(locale: string): string | null {
  try {
    return new Intl.Locale(locale.replaceAll("_", "-")).maximize().region ?? null;
  } catch {
    return null; // Intl throws a RangeError for an invalid locale
  }
}

const hosts = (addresses: (string | null)[]): string[] =>
  addresses.flatMap((address) => (address !== null && URL.canParse(address) ? [new URL(address).hostname] : []));

/** A client's rule settings. Invalid stored settings are ignored and the defaults apply. */
export function ruleSettingsOf({ id, rules }: Pick<ClientRow, "id" | "rules">): RuleSettings {
  const read = RuleSettings.safeParse(rules);
  if (read.success) return read.data;
  log.warn({ client: id, issues: read.error.issues }, "the client's stored moderation rules are invalid");
  return {};
}
