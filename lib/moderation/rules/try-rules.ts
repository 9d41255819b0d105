import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { findFindings } from "@/lib/moderation/rules/find-findings";
import { ruleSettingsOf, shopOf } from "@/lib/moderation/rules/rule-settings-of-store";
import type { RuleTestInput, RuleTestResult } from "@/lib/moderation/rules/schema";
import { verdictOf } from "@/lib/moderation/rules/verdict";
import { detectLanguage, languageOf } from "@/lib/reviews/reviews/detect-language";

/**
 * Returns the findings in a text as if submitted through the client's form, by its rules or unsaved ones. Stores
 * nothing.
 */
export async function tryRules(
  client: ClientRow,
  { author = "", title = "", extract, rules }: RuleTestInput,
): Promise<RuleTestResult> {
  const detected = await detectLanguage([title, extract].filter(Boolean).join("\n"));
  const fields = [
    { name: "author", text: author },
    { name: "title", text: title },
    { name: "extract", text: extract },
  ].filter(({ text }) => text !== "");
  const findings = await findFindings(
    {
      fields,
      lang: detected ?? languageOf(client.locale),
      detected,
      photos: 0,
      own: { email: null, phone: null, orderId: null },
      similarity: 0,
      arrivals: { author: 0, network: 0, product: 0 },
    },
    shopOf(client),
    rules ?? ruleSettingsOf(client),
  );
  const { outcome, reason } = verdictOf(findings);
  return { outcome, reason, lang: detected, findings };
}
