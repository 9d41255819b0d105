import type { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import { findEmails } from "@/lib/moderation/rules/detectors/email";
import { isWrongLanguage } from "@/lib/moderation/rules/detectors/language";
import {
  findBankAccounts,
  findCardNumbers,
  findOrderNumbers,
  findPhones,
} from "@/lib/moderation/rules/detectors/personal-numbers";
import { findPrices } from "@/lib/moderation/rules/detectors/price";
import { findProfanity } from "@/lib/moderation/rules/detectors/profanity";
import { findUnintelligible } from "@/lib/moderation/rules/detectors/unintelligible";
import { findUrls } from "@/lib/moderation/rules/detectors/url";
import type { FieldRule, ItemRule, RuleInput, Shop, Span } from "@/lib/moderation/rules/rule-input";
import { type Finding, reasonOfRule } from "@/lib/moderation/rules/schema";
import { type RuleName, ruleNames } from "@/lib/moderation/rules/values";
import { EventLoopYielder } from "@/lib/moderation/rules/yield-to-event-loop";
import { truncateText } from "@/lib/platform/storable-text";

/** Characters of a field that the rules read, since some take quadratic time. Longer fields are held for a person. */
const MAX_CHARACTERS = 10_000;

type FieldRuleName = Exclude<RuleName, ItemRuleName>;
type ItemRuleName = "wrong_language" | "duplicate" | "burst" | "long_text" | "photo";

const fieldRules: { [Name in FieldRuleName]: FieldRule<Name> } = {
  profanity: findProfanity,
  card_number: findCardNumbers,
  bank_account: findBankAccounts,
  email: findEmails,
  url: findUrls,
  order_number: findOrderNumbers,
  phone: findPhones,
  price: findPrices,
  unintelligible: findUnintelligible,
};

const itemRules: { [Name in ItemRuleName]: ItemRule<Name> } = {
  wrong_language: isWrongLanguage,
  duplicate: ({ similarity }, _, { similarity: threshold = 0.8 }) => similarity >= threshold,
  burst: ({ arrivals }, _, { per_author = 5, per_network = 5, per_product = 20 }) =>
    arrivals.author >= per_author || arrivals.network >= per_network || arrivals.product >= per_product,
  long_text: ({ fields }) => fields.some(({ text }) => text.length > MAX_CHARACTERS),
  photo: ({ photos }) => photos > 0,
};

/** Rules that apply to the author's name; the others check only the text. */
const authorRules: ReadonlySet<RuleName> = new Set(["profanity", "card_number", "bank_account", "email", "url"]);

/** Maximum findings per rule; more add no information. */
const MAX_FINDINGS = 20;

/**
 * Returns all findings in an item, in the order of the rules. A passage belongs to the first rule that matches it.
 * Yields between fields, so that long texts don't block other work.
 */
export function* findStepwise(writing: RuleInput, shop: Shop, settings: RuleSettings): Generator<void, Finding[]> {
  const findings: Finding[] = [];
  const read = writing.fields.map(({ name, text }) => ({ name, text: truncateText(text, MAX_CHARACTERS) }));
  for (const rule of ruleNames) {
    const own: RuleOptions = settings[rule] ?? {};
    if (own.on === false) continue;
    if (isItemRule(rule)) {
      if ((itemRules[rule] as ItemRule<RuleName>)(writing, shop, own)) findings.push(toFinding(rule, own, null));
      continue;
    }
    let found = 0;
    for (const field of read) {
      if (field.name === "author" && !authorRules.has(rule)) continue;
      const spans = (fieldRules[rule] as FieldRule<RuleName>)(field, writing, shop, own);
      for (const span of spans.sort((a, b) => a.start - b.start)) {
        if (found >= MAX_FINDINGS) break;
        if (findings.some((held) => held.field === field.name && held.start < span.end && span.start < held.end))
          continue;
        findings.push(toFinding(rule, own, { ...span, field: field.name }));
        found += 1;
      }
      yield;
    }
  }
  return findings;
}

type RuleOptions = { on?: boolean; action?: "hold" | "reject" };

const isItemRule = (rule: RuleName): rule is ItemRuleName => rule in itemRules;

function toFinding(rule: RuleName, { action }: RuleOptions, span: (Span & { field: string }) | null): Finding {
  const reason = reasonOfRule[rule];
  const { field = null, start = 0, end = 0, sure = false } = span ?? {};
  const rejects = reason !== null && (action ?? (sure ? "reject" : "hold")) === "reject";
  return { rule, field, start, end, suggested: rejects ? "reject" : "hold", reason };
}

/** Like {@link findStepwise}, but yields to other work every 10 milliseconds. */
export async function findFindings(
  writing: RuleInput,
  shop: Shop,
  settings: RuleSettings,
  yielder = new EventLoopYielder(),
): Promise<Finding[]> {
  const steps = findStepwise(writing, shop, settings);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yielder.yieldIfDue();
  }
}

/** Like {@link findStepwise}, without yielding. */
export function findFindingsSync(writing: RuleInput, shop: Shop, settings: RuleSettings): Finding[] {
  const steps = findStepwise(writing, shop, settings);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
