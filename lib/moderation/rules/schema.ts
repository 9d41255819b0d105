import { z } from "zod";
import { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import { type RuleName, ruleNames } from "@/lib/moderation/rules/values";
import { text } from "@/lib/platform/http/fields";
import { type RejectReason, rejectReasons } from "@/lib/reviews/decisions/schema";

/** The rejection reason for a rule's finding; null if a person must choose one. */
export const reasonOfRule: Record<RuleName, RejectReason | null> = {
  profanity: "profanity",
  card_number: "personal_data",
  bank_account: "personal_data",
  email: "personal_data",
  url: "promotion",
  phone: "personal_data",
  order_number: "personal_data",
  price: "price",
  unintelligible: "unintelligible",
  wrong_language: "wrong_language",
  duplicate: "duplicate",
  burst: "spam",
  long_text: null,
  photo: null,
};

/**
 * A finding of a rule. A passage is stored as a position, never copied: `field` as the item names it (`extract`,
 * `title`, `pros[0]`, `properties.fit`), `start` and `end` in its UTF-16 code units, end exclusive, at character
 * boundaries. `field` is null, and both positions 0, if the finding isn't about a passage (a burst, a photo).
 */
export const Finding = z.object({
  rule: z.enum(ruleNames),
  field: z.string().nullable(),
  start: z.int(),
  end: z.int(),
  suggested: z.enum(["hold", "reject"]).meta({ description: "Action the rule suggests: hold for a person or reject." }),
  reason: z.enum(rejectReasons).nullable().meta({ description: "Reject code of the rule." }),
});
export type Finding = z.infer<typeof Finding>;

/** Texts to test the rules on, and rules if they differ from the client's. */
export const RuleTestInput = z.object({
  author: text(255).optional().meta({ description: "Name of an author." }),
  title: text(255).optional(),
  extract: text(60_000).meta({ description: "Text to check." }),
  rules: RuleSettings.optional().meta({ description: "Unsaved rules to test. Default: the store's rules." }),
});
export type RuleTestInput = z.output<typeof RuleTestInput>;

export const RuleTestResult = z.object({
  outcome: z.enum(["accept", "hold", "reject"]).meta({ description: "Outcome for the text." }),
  reason: z.enum(rejectReasons).nullable().meta({ description: "Reject code, if rejected." }),
  lang: z.string().nullable().meta({ description: "Detected language; null if uncertain." }),
  findings: z.array(Finding),
});
export type RuleTestResult = z.infer<typeof RuleTestResult>;
