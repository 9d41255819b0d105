import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { RuleName } from "@/lib/moderation/rules/values";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

/** The text of an item's field as findings name it; null if it has none. */
export function fieldText(item: QueueItem, field: string): string | null {
  if (field === "author") return item.author;
  if (field === "title") return item.title;
  if (field === "extract") return item.extract;
  const [, list, index] = /^(pros|cons)\[(\d+)\]$/.exec(field) ?? [];
  if (list) return item[list as "pros" | "cons"][Number(index)] ?? null;
  const value = item.properties[field.replace(/^properties\./, "")];
  return typeof value === "string" ? value : null;
}

/** The name of a finding's field. */
export function fieldLabel(field: string, t: Translate): string {
  if (field === "author") return t("decisions.inName");
  if (field === "extract") return t("decisions.inText");
  if (field === "title") return t("decisions.inTitle");
  if (field.startsWith("pros[")) return t("decisions.inPros");
  if (field.startsWith("cons[")) return t("decisions.inCons");
  return t("decisions.inAnswer", { question: field.replace(/^properties\./, "") });
}

/** Text for findings without a passage. */
export const ruleHints: Partial<Record<RuleName, MessageKey>> = {
  wrong_language: "decisions.findingLanguageHint",
  duplicate: "decisions.findingDuplicateHint",
  burst: "decisions.findingBurstHint",
  long_text: "decisions.findingLongTextHint",
  photo: "decisions.findingPhotoHint",
};

/** The reject codes that the rules suggest for an item, the most certain first. */
export const suggestedReasons = (item: QueueItem): RejectReason[] => {
  const surest = [...item.findings].sort((a, b) => Number(b.suggested === "reject") - Number(a.suggested === "reject"));
  return [...new Set(surest.flatMap(({ reason }) => reason ?? []))];
};
