import { type Reason, reasons } from "@/components/moderation/reasons";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { DecidedKind, RejectReason } from "@/lib/reviews/decisions/schema";

// What one needs to choose a reason, and no sooner.

/** What a reason means, where its name does not say it all. */
export const reasonHints: Partial<Record<RejectReason, MessageKey>> = {
  not_about_product: "decisions.notAboutProductHint",
  personal_data: "decisions.personalDataHint",
  ignored: "decisions.otherHint",
};

/**
 * The keys of the reasons, in their order: digits, then letters that command nothing in the queue, so that a decision that was
 * begun by mistake does not end by one that was meant for another command.
 */
export const reasonKeys: readonly string[] = [..."1234567890bcdfnt"];

/** What cannot be said against an item of a kind. */
const excludedReasons: Record<DecidedKind, RejectReason[]> = {
  review: [],
  seller_review: ["not_tested", "not_about_product"],
  question: ["question", "not_tested"],
  answer: ["question", "not_tested", "price"],
  photo: ["question", "not_tested", "price", "wrong_language"],
};

/** The reasons that fit all of these items, in the order of their keys; what fits one alone would be a wrong word about the others. */
export const reasonsForAll = (items: readonly { kind: DecidedKind }[]): Reason[] =>
  reasons.filter(({ code }) => items.every(({ kind }) => !excludedReasons[kind].includes(code)));
