import type { MessageKey } from "@/lib/platform/i18n/translator";
/** Names of the automatic rules. Browser-safe, so no schemas here. */

/** The automatic rules, in the order they are applied. */
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

/** The rules' labels for people who read findings. */
export const ruleLabels: Record<RuleName, MessageKey> = {
  profanity: "decisions.findingProfanity",
  card_number: "decisions.findingCardNumber",
  bank_account: "decisions.findingBankAccount",
  email: "common.emailAddress",
  url: "decisions.findingUrl",
  order_number: "common.orderNumber",
  phone: "decisions.findingPhone",
  price: "decisions.findingPrice",
  unintelligible: "decisions.unintelligible",
  wrong_language: "decisions.findingLanguage",
  duplicate: "decisions.findingDuplicate",
  burst: "decisions.findingBurst",
  long_text: "decisions.findingLongText",
  photo: "decisions.findingPhoto",
};
