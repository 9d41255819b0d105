import type { Finding } from "@/lib/moderation/rules/schema";
import type { RuleName } from "@/lib/moderation/rules/values";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

/** The outcome for an item: `hold` leaves it to a person. `rule` is the deciding rule, null if no rule decided. */
export type RuleVerdict =
  | { outcome: "accept" | "hold"; rule: null; reason: null }
  | { outcome: "reject"; rule: RuleName; reason: RejectReason };

/** The verdict: no findings accept, a definite finding rejects, anything else holds. */
export function verdictOf(findings: readonly Finding[]): RuleVerdict {
  const decisive = findings.find(({ suggested }) => suggested === "reject");
  if (decisive?.reason) return { outcome: "reject", rule: decisive.rule, reason: decisive.reason };
  return { outcome: findings.length > 0 ? "hold" : "accept", rule: null, reason: null };
}
