import type { RuleName } from "@/lib/moderation/rules/values";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** What each rule detects. */
export const ruleDescriptions: Record<RuleName, MessageKey> = {
  profanity: "moderationRules.profanityHint",
  card_number: "moderationRules.cardNumberHint",
  bank_account: "moderationRules.bankAccountHint",
  email: "moderationRules.emailHint",
  url: "moderationRules.urlHint",
  order_number: "moderationRules.orderNumberHint",
  phone: "moderationRules.phoneHint",
  price: "moderationRules.priceHint",
  unintelligible: "moderationRules.unintelligibleHint",
  wrong_language: "moderationRules.wrongLanguageHint",
  duplicate: "moderationRules.duplicateHint",
  burst: "moderationRules.burstHint",
  long_text: "moderationRules.longTextHint",
  photo: "moderationRules.photoHint",
};

type Choice = { value: string; label: MessageKey };

const choices: Choice[] = [
  { value: "", label: "moderationRules.rejectOrHold" },
  { value: "hold", label: "moderationRules.holdMatches" },
  { value: "reject", label: "moderationRules.rejectMatches" },
  { value: "off", label: "moderationRules.off" },
];

/** Rules that are never certain on their own. */
export const uncertainRules = new Set<RuleName>([
  "url",
  "order_number",
  "price",
  "unintelligible",
  "wrong_language",
  "duplicate",
  "burst",
]);

/** The actions available for a rule's findings; "" is its default. */
export const actionsOf = (rule: RuleName): Choice[] =>
  rule === "photo"
    ? [
        { value: "", label: "moderationRules.hold" },
        { value: "off", label: "moderationRules.publishHoldPhotos" },
      ]
    : rule === "long_text"
      ? [{ value: "", label: "moderationRules.hold" }, ...choices.slice(3)]
      : uncertainRules.has(rule)
        ? [{ value: "", label: "moderationRules.holdMatches" }, ...choices.slice(2)]
        : choices;

/** A word list or limit of a rule, by its name in the rule's settings. */
export type RuleOptionDef = { name: string; label: MessageKey; hint?: MessageKey } & (
  | { kind: "lines"; placeholder?: string }
  | { kind: "number"; defaultValue: number }
  | { kind: "percent"; defaultValue: number }
);

/** The word lists and limits of each rule. */
export const ruleOptions: Partial<Record<RuleName, RuleOptionDef[]>> = {
  profanity: [
    { name: "words", kind: "lines", label: "moderationRules.blockedWords", hint: "moderationRules.blockedWordsHint" },
    {
      name: "allowed",
      kind: "lines",
      label: "moderationRules.allowedWords",
      hint: "moderationRules.allowedWordsHint",
    },
  ],
  email: [
    {
      name: "allowed",
      kind: "lines",
      label: "moderationRules.allowedDomains",
      hint: "moderationRules.onePerLine",
      placeholder: "shop.example",
    },
  ],
  url: [
    {
      name: "allowed",
      kind: "lines",
      label: "moderationRules.allowedSites",
      hint: "moderationRules.allowedSitesHint",
      placeholder: "youtube.com",
    },
  ],
  wrong_language: [
    {
      name: "languages",
      kind: "lines",
      label: "moderationRules.allowedLanguages",
      hint: "moderationRules.allowedLanguagesHint",
      placeholder: "en",
    },
  ],
  duplicate: [{ name: "similarity", kind: "percent", label: "moderationRules.similarity", defaultValue: 0.8 }],
  burst: [
    { name: "minutes", kind: "number", label: "moderationRules.minutes", defaultValue: 60 },
    { name: "per_author", kind: "number", label: "moderationRules.perAuthor", defaultValue: 5 },
    { name: "per_network", kind: "number", label: "moderationRules.perNetwork", defaultValue: 5 },
    { name: "per_product", kind: "number", label: "moderationRules.perProduct", defaultValue: 20 },
  ],
};
