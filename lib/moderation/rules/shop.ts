import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import type { Shop } from "@/lib/moderation/rules/rule-input";
import { log } from "@/lib/platform/log";
import { languageOf } from "@/lib/reviews/reviews/detect-language";

type Settings = Pick<ClientRow, "id" | "locale" | "contact_url" | "allowed_origins">;

/** What rules know of a client: its languages, its country, the domains that are its own. */
export const shopOf = ({ id, locale, contact_url, allowed_origins }: Settings): Shop => ({
  languages: [languageOf(locale)],
  country: countryOf(locale),
  domains: [...(id.includes(".") ? [id] : []), ...hosts([contact_url, ...allowed_origins])].map((host) =>
    host.toLowerCase().replace(/^www\./, ""),
  ),
});

/** The country of a locale (`sv_SE`), or the one where its language is spoken most. */
function countryOf(locale: string): string | null {
  try {
    return new Intl.Locale(locale.replaceAll("_", "-")).maximize().region ?? null;
  } catch {
    return null; // RangeError is how Intl says that it is no locale
  }
}

const hosts = (addresses: (string | null)[]): string[] =>
  addresses.flatMap((address) => (address !== null && URL.canParse(address) ? [new URL(address).hostname] : []));

/** A client's settings of the rules. What is stored wrongly counts for nothing: the rules are then as by default. */
export function ruleSettingsOf({ id, rules }: Pick<ClientRow, "id" | "rules">): RuleSettings {
  const read = RuleSettings.safeParse(rules);
  if (read.success) return read.data;
  log.warn({ client: id, issues: read.error.issues }, "the client's stored moderation rules are invalid");
  return {};
}
