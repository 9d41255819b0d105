import { type ClientRow, incentiveOf } from "@/lib/accounts/stores/get-client";

const columns = [
  "send_emails_after_days",
  "send_emails_before_days",
  "send_limit",
  "quarantine_period",
  "min_review_words",
  "min_review_words_promoter",
  "collect_seller_reviews",
  "collect_questions",
  "own_moderation",
  "auto_moderate",
  "require_verification",
] as const satisfies (keyof ClientRow)[];

const configFields = ["reminder_after_days", "seller_only", "own_sender", "time_zone", "hide_stars"] as const;

/**
 * The settings that decide whom a store asks and what it publishes, as the log has them. Of the rules
 * only which are off, or hold or reject everything they find: their words could help those who want to get around them.
 */
export function publicSettings(
  client: Pick<ClientRow, (typeof columns)[number] | "config" | "rules">,
): Record<string, unknown> {
  const config = client.config as Record<string, unknown>;
  const rules = Object.entries(client.rules as Record<string, { on?: boolean; action?: string } | undefined>);
  return {
    ...Object.fromEntries(columns.map((column) => [column, client[column]])),
    ...Object.fromEntries(configFields.map((field) => [field, config[field] ?? null])),
    // Whether, not what: entries have no texts.
    incentive: incentiveOf(client) !== null,
    rules: Object.fromEntries(
      rules
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([name, rule]) => (rule?.on === false ? [[name, "off"]] : rule?.action ? [[name, rule.action]] : [])),
    ),
  };
}
