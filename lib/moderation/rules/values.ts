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
export const ruleTitles: Record<RuleName, string> = {
  profanity: "Offensive word",
  card_number: "Payment card number",
  bank_account: "Bank account number",
  email: "E-mail address",
  url: "Link or website",
  order_number: "Order number",
  phone: "Telephone number",
  price: "Price",
  unintelligible: "Cannot be read",
  wrong_language: "Another language than the shop's",
  duplicate: "Much like another text",
  burst: "Many at once",
  long_text: "Very long text",
  photo: "Has a photo",
};
