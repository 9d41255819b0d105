import type { RuleName } from "@/lib/moderation/rules/values";

// What the page of the rules says of each. English here, said by `t` where it is shown.

/** What each rule looks for, for those who decide whether it may. */
export const explained: Record<RuleName, string> = {
  profanity: "Offensive words of the text's language, also masked or spaced, and words of your own.",
  card_number: "Numbers that a payment card could have, by issuer, length and check digit.",
  bank_account: "IBANs with the length and check digits of their country.",
  email: "E-mail addresses, also written as bob (at) mail (dot) com.",
  url: "Links and names of websites other than yours.",
  order_number: "The author's own order number, or another after a word that says so.",
  phone: "Telephone numbers that exist.",
  price: "Exact prices in any currency. Percentages and words like bargain are fine.",
  unintelligible: "Random keys, one letter over and over, signs without words.",
  wrong_language: "A longer text in another language than your shop's, where that is certain.",
  duplicate: "A text that is much like an earlier one of your shop.",
  burst: "Many in a short time by one address, from one network or about one product. Never of invitations.",
  long_text: "A text of over 10,000 characters. The other rules read no further.",
  photo: "No rule can judge a picture, so a person looks at each: before anything is published, or after, one by one.",
};

type Choice = { value: string; label: string };

const choices: Choice[] = [
  { value: "", label: "Rejects what is certain, holds the rest" },
  { value: "hold", label: "Holds all it finds for a person" },
  { value: "reject", label: "Rejects all it finds" },
  { value: "off", label: "Off" },
];

/** Rules that are never certain by themselves. */
export const unsure = new Set<RuleName>([
  "url",
  "order_number",
  "price",
  "unintelligible",
  "wrong_language",
  "duplicate",
  "burst",
]);

/** What may follow from what a rule finds; "" is what it does by itself. */
export const choicesOf = (rule: RuleName): Choice[] =>
  rule === "photo"
    ? [
        { value: "", label: "Holds for a person" },
        { value: "off", label: "Publishes; photos wait alone" },
      ]
    : rule === "long_text"
      ? [{ value: "", label: "Holds for a person" }, ...choices.slice(3)]
      : unsure.has(rule)
        ? [{ value: "", label: "Holds all it finds for a person" }, ...choices.slice(2)]
        : choices;

/** A word list or a limit of a rule, by its name among the rule's settings. */
export type MemberDef = { name: string; label: string; hint?: string } & (
  | { kind: "lines"; placeholder?: string }
  | { kind: "number"; usual: number }
  | { kind: "percent"; usual: number }
);

/** The lists and limits that a rule has. */
export const more: Partial<Record<RuleName, MemberDef[]>> = {
  profanity: [
    { name: "words", kind: "lines", label: "Your own words", hint: "One a line. A text with one of them is rejected." },
    {
      name: "allowed",
      kind: "lines",
      label: "Words that are fine here",
      hint: "One a line: names of bands, for example.",
    },
  ],
  email: [
    {
      name: "allowed",
      kind: "lines",
      label: "Domains that are fine",
      hint: "One a line.",
      placeholder: "shop.example",
    },
  ],
  url: [
    {
      name: "allowed",
      kind: "lines",
      label: "Sites that are fine",
      hint: "One a line. Yours are already.",
      placeholder: "youtube.com",
    },
  ],
  wrong_language: [
    {
      name: "languages",
      kind: "lines",
      label: "Further languages that are fine",
      hint: "Codes of two letters, one a line.",
      placeholder: "en",
    },
  ],
  duplicate: [{ name: "similarity", kind: "percent", label: "From how much equal text, in percent", usual: 0.8 }],
  burst: [
    { name: "minutes", kind: "number", label: "Within so many minutes", usual: 60 },
    { name: "per_author", kind: "number", label: "Fine from one e-mail address", usual: 5 },
    { name: "per_network", kind: "number", label: "Fine from one network", usual: 5 },
    { name: "per_product", kind: "number", label: "Fine about one product", usual: 20 },
  ],
};
