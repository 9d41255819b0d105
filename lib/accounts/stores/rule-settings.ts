import { z } from "zod";
import { filledText } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

const wordList = z.array(filledText(100)).max(1_000);
const domains = z.array(filledText(253)).max(100);
const some = z.int().min(1).max(1_000);

const rule = {
  on: z.boolean().optional().meta({ description: "Whether the rule runs. Default true." }),
  action: z.enum(["hold", "reject"]).optional().meta({
    description:
      "`hold` leaves everything the rule finds to a person. `reject` rejects all of it. Unset: the rule rejects what it is sure of and holds the rest.",
  }),
};

/**
 * The client setting `rules`: each rule by name, omitted ones with their defaults. Unknown rules and members are
 * rejected, so that a typo isn't accepted as a setting. Browser-safe.
 */
export const RuleSettings = z.strictObject({
  profanity: z
    .strictObject({
      ...rule,
      words: wordList.optional().meta({ description: "Words and phrases to reject." }),
      allowed: wordList.optional().meta({ description: "Words and phrases to allow." }),
    })
    .optional(),
  card_number: z.strictObject(rule).optional(),
  bank_account: z.strictObject(rule).optional(),
  email: z
    .strictObject({
      ...rule,
      allowed: domains.optional().meta({ description: "Domains whose email addresses are allowed." }),
    })
    .optional(),
  url: z.strictObject({ ...rule, allowed: domains.optional().meta({ description: "Domains to allow." }) }).optional(),
  phone: z.strictObject(rule).optional(),
  order_number: z.strictObject(rule).optional(),
  price: z.strictObject(rule).optional(),
  unintelligible: z.strictObject(rule).optional(),
  wrong_language: z
    .strictObject({
      ...rule,
      languages: z
        .array(z.string().regex(/^[a-z]{2,3}$/, { error: encodeReason("not_a_language", { example: "sv" }) }))
        .max(50)
        .optional()
        .meta({ description: "Languages to allow besides the language of the store's locale." }),
    })
    .optional(),
  duplicate: z
    .strictObject({
      ...rule,
      similarity: z
        .number()
        .min(0.6)
        .max(1)
        .optional()
        .meta({ description: "Share of equal text from which a text is a duplicate. Default 0.8." }),
    })
    .optional(),
  burst: z
    .strictObject({
      ...rule,
      minutes: z
        .int()
        .min(1)
        .max(1_440)
        .optional()
        .meta({ description: "Length of the period in minutes. Default 60." }),
      per_author: some.optional().meta({ description: "Most items from one email address in the period. Default 5." }),
      per_network: some.optional().meta({ description: "Most items from one IP network in the period. Default 5." }),
      per_product: some
        .optional()
        .meta({ description: "Most items about one product by unverified authors in the period. Default 20." }),
    })
    .optional(),
  long_text: z.strictObject({ on: rule.on }).optional(),
  photo: z.strictObject({ on: rule.on }).optional(),
});
export type RuleSettings = z.output<typeof RuleSettings>;
