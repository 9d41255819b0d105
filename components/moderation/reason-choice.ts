import { type Reason, reasons } from "@/components/moderation/reject-reasons";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import { type DecidedKind, type RejectReason, textReasons } from "@/lib/reviews/decisions/schema";

// Loaded only for choosing a reason.

/** Explains reasons whose names aren't clear enough. */
export const reasonHints: Partial<Record<RejectReason, MessageKey>> = {
  not_about_product: "decisions.notAboutProductHint",
  personal_data: "decisions.personalDataHint",
  ignored: "decisions.otherHint",
};

/**
 * Keys of the reasons, in order: digits, then letters that aren't shortcuts of the queue, so that a rejection started
 * by mistake isn't completed by a key meant for another command.
 */
export const reasonKeys: readonly string[] = [..."1234567890bcdfnt"];

/** Reasons that don't apply to a kind. */
const excludedReasons: Record<DecidedKind, RejectReason[]> = {
  review: [],
  seller_review: ["not_tested", "not_about_product"],
  question: ["question", "not_tested"],
  answer: ["question", "not_tested", "price"],
  photo: [...textReasons],
};

/** The reasons that apply to all of these items, in the order of their keys. */
export const reasonsForAll = (items: readonly { kind: DecidedKind }[]): Reason[] =>
  reasons.filter(({ code }) => items.every(({ kind }) => !excludedReasons[kind].includes(code)));

type KeyedReason = Reason & { key: string };

/**
 * The reasons for these items, each with its key, in two groups: those that the store uses most, and the others. A
 * reason's key doesn't depend on its place.
 */
export function groupReasons(
  items: readonly { kind: DecidedKind }[],
  frequent: readonly RejectReason[],
): { frequent: KeyedReason[]; others: KeyedReason[] } {
  const all = reasonsForAll(items).map((reason, index) => ({ ...reason, key: reasonKeys[index] ?? "" }));
  return {
    frequent: frequent.flatMap((code) => all.find((reason) => reason.code === code) ?? []),
    others: all.filter(({ code }) => !frequent.includes(code)),
  };
}
