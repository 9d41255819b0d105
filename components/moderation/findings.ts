import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { RuleName } from "@/lib/moderation/rules/values";
import { english, type Words } from "@/lib/platform/i18n/rules";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

/** The text of an item's field as findings name it; null where there is none. */
export function textOf(item: QueueItem, field: string): string | null {
  if (field === "author") return item.author;
  if (field === "title") return item.title;
  if (field === "extract") return item.extract;
  const [, list, index] = /^(pros|cons)\[(\d+)\]$/.exec(field) ?? [];
  if (list) return item[list as "pros" | "cons"][Number(index)] ?? null;
  const value = item.properties[field.replace(/^properties\./, "")];
  return typeof value === "string" ? value : null;
}

/** Where a finding is, in words. */
export function placeOf(field: string, t: Words = english): string {
  if (field === "author") return t("in the name");
  if (field === "extract") return t("in the text");
  if (field === "title") return t("in the title");
  if (field.startsWith("pros[")) return t("in the pros");
  if (field.startsWith("cons[")) return t("in the cons");
  return t("in the answer to {question}", { question: field.replace(/^properties\./, "") });
}

/** What a finding without a passage says. */
export const ruleHints: Partial<Record<RuleName, string>> = {
  wrong_language: "The language was recognised by the text itself.",
  duplicate: "Most of this text stands in another one at this shop.",
  burst: "Several came in a short time from one address or network, or about one product.",
  long_text: "The rules read the first 10,000 characters of a text.",
  photo: "No rule can judge a picture.",
};

/** The reject codes that the rules propose for an item, the surest first. */
export const suggestedReasons = (item: QueueItem): RejectReason[] => {
  const surest = [...item.findings].sort((a, b) => Number(b.suggested === "reject") - Number(a.suggested === "reject"));
  return [...new Set(surest.flatMap(({ reason }) => reason ?? []))];
};
