import type { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import { findEmails } from "@/lib/moderation/rules/detectors/email";
import { isWrongLanguage } from "@/lib/moderation/rules/detectors/language";
import {
  findBankAccounts,
  findCardNumbers,
  findOrderNumbers,
  findPhones,
} from "@/lib/moderation/rules/detectors/numbers";
import { findPrices } from "@/lib/moderation/rules/detectors/price";
import { findProfanity } from "@/lib/moderation/rules/detectors/profanity";
import { findUnintelligible } from "@/lib/moderation/rules/detectors/unintelligible";
import { findUrls } from "@/lib/moderation/rules/detectors/url";
import { type Finding, reasonOfRule } from "@/lib/moderation/rules/schema";
import { Turns } from "@/lib/moderation/rules/turns";
import { type RuleName, ruleNames } from "@/lib/moderation/rules/values";
import type { FieldRule, Shop, Span, WholeRule, Writing } from "@/lib/moderation/rules/writing";
import { cut } from "@/lib/platform/storable-text";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

/**
 * Characters of a field that the rules read: some of them take time by the square of a text's length. What is beyond, a
 * person reads.
 */
const MOST_READ = 10_000;

type FieldRuleName = Exclude<RuleName, WholeRuleName>;
type WholeRuleName = "wrong_language" | "duplicate" | "burst" | "long_text" | "photo";

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

const wholeRules: { [Name in WholeRuleName]: WholeRule<Name> } = {
  wrong_language: isWrongLanguage,
  duplicate: ({ similarity }, _, { similarity: most = 0.8 }) => similarity >= most,
  burst: ({ arrivals }, _, { per_author = 5, per_network = 5, per_product = 20 }) =>
    arrivals.author >= per_author || arrivals.network >= per_network || arrivals.product >= per_product,
  long_text: ({ fields }) => fields.some(({ text }) => text.length > MOST_READ),
  photo: ({ photos }) => photos > 0,
};

/** What the name of an author may show; other rules look at what is said only. */
const readNames: ReadonlySet<RuleName> = new Set(["profanity", "card_number", "bank_account", "email", "url"]);

/** More places of one rule say nothing more. */
const MOST = 20;

/** What became of an item: `hold` leaves it to a person. `rule` decided, null where none had anything to say. */
export type Verdict =
  | { outcome: "accept" | "hold"; rule: null; reason: null }
  | { outcome: "reject"; rule: RuleName; reason: RejectReason };

/**
 * Everything the rules find in an item, in the order of the rules. A passage is one rule's only: the first that knows it
 * for what it is. Yields between fields, so that long texts need not hold everything else up.
 */
export function* findStepwise(writing: Writing, shop: Shop, settings: RuleSettings): Generator<void, Finding[]> {
  const findings: Finding[] = [];
  const read = writing.fields.map(({ name, text }) => ({ name, text: cut(text, MOST_READ) }));
  for (const rule of ruleNames) {
    const own: Own = settings[rule] ?? {};
    if (own.on === false) continue;
    if (isWholeRule(rule)) {
      if ((wholeRules[rule] as WholeRule<RuleName>)(writing, shop, own)) findings.push(toFinding(rule, own, null));
      continue;
    }
    let found = 0;
    for (const field of read) {
      if (field.name === "author" && !readNames.has(rule)) continue;
      const spans = (fieldRules[rule] as FieldRule<RuleName>)(field, writing, shop, own);
      for (const span of spans.sort((a, b) => a.start - b.start)) {
        if (found >= MOST) break;
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

type Own = { on?: boolean; action?: "hold" | "reject" };

const isWholeRule = (rule: RuleName): rule is WholeRuleName => rule in wholeRules;

function toFinding(rule: RuleName, { action }: Own, span: (Span & { field: string }) | null): Finding {
  const reason = reasonOfRule[rule];
  const { field = null, start = 0, end = 0, sure = false } = span ?? {};
  const rejects = reason !== null && (action ?? (sure ? "reject" : "hold")) === "reject";
  return { rule, field, start, end, suggested: rejects ? "reject" : "hold", reason };
}

/** The same, with a turn for others whenever ten milliseconds have passed. */
export async function findingsInTurns(
  writing: Writing,
  shop: Shop,
  settings: RuleSettings,
  turns = new Turns(),
): Promise<Finding[]> {
  const steps = findStepwise(writing, shop, settings);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turns.give();
  }
}

/** The same, all at once. */
export function findingsIn(writing: Writing, shop: Shop, settings: RuleSettings): Finding[] {
  const steps = findStepwise(writing, shop, settings);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** What follows: nothing found accepts, a rule that is sure rejects, anything else waits for a person. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const decisive = findings.find(({ suggested }) => suggested === "reject");
  if (decisive?.reason) return { outcome: "reject", rule: decisive.rule, reason: decisive.reason };
  return { outcome: findings.length > 0 ? "hold" : "accept", rule: null, reason: null };
}
