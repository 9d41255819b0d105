import type { MessageKey } from "@/lib/platform/i18n/translator";
/** The automatic rules by name. What the browser needs of this room besides types: no schemas here. */

/** The automatic rules, in the order in which they speak. Browser-safe. */
export const ruleNames = [
  "profanity",
  "card_number",
  "bank_account",
  "email",
  "url",
  "order_number",
  "phone",
  "price",
  "unintelligible",
  "wrong_language",
  "duplicate",
  "burst",
  "long_text",
  "photo",
] as const;
export type RuleName = (typeof ruleNames)[number];

/** The rules in the words of those who read what they found. */
export const ruleLabels: Record<RuleName, MessageKey> = {
  profanity: "decisions.findingProfanity",
  card_number: "decisions.findingCardNumber",
  bank_account: "decisions.findingBankAccount",
  email: "common.emailAddress",
  url: "decisions.findingUrl",
  order_number: "common.orderNumber",
  phone: "decisions.findingPhone",
  price: "decisions.findingPrice",
  unintelligible: "common.unreadable",
  wrong_language: "decisions.findingLanguage",
  duplicate: "decisions.findingDuplicate",
  burst: "decisions.findingBurst",
  long_text: "decisions.findingLongText",
  photo: "decisions.findingPhoto",
};
