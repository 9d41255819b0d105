import type { ModerationStatus, RejectReason } from "@/lib/moderation/schema";
import type { HistoryEntry, QueueItem } from "@/lib/queue/schema";

type Reason = { code: RejectReason; label: string; hint?: string };

/** What a moderator may reject for. The first nine have the keys 1 to 9. "I disagree" is not on the list. */
export const reasons: Reason[] = [
  { code: "not_about_product", label: "Not about the product", hint: "Delivery, service, something else" },
  { code: "company_policy", label: "Against the review policy" },
  { code: "profanity", label: "Offensive language" },
  { code: "price", label: "Only about the price" },
  { code: "competitor", label: "Names a competitor" },
  { code: "question", label: "A question, not a review" },
  { code: "personal_data", label: "Holds personal data", hint: "Names, numbers, addresses of people" },
  { code: "not_tested", label: "Product not tried yet" },
  { code: "promotion", label: "Advertising" },
  { code: "discrimination", label: "Hateful or discriminating" },
  { code: "wrong_language", label: "Wrong language" },
  { code: "unintelligible", label: "Cannot be understood" },
  { code: "illegal", label: "Illegal content" },
  { code: "spam", label: "Spam or fake" },
  { code: "duplicate", label: "Duplicate" },
  { code: "ignored", label: "Ignore", hint: "Not worth a reason" },
];

/** A reject code in words; codes of other times and callers are shown as they are. */
export const reasonWords = (code: string | null): string =>
  code === null || code === "unspecified"
    ? "No reason given"
    : (reasons.find((reason) => reason.code === code)?.label ?? code);

export const sourceWords: Record<QueueItem["source"], string> = {
  invitation: "Invitation",
  web: "Web form",
  collect: "Website",
  api: "API",
  import: "Import",
};

export const statusOf = (accepted: boolean | null): ModerationStatus =>
  accepted === null ? "pending" : accepted ? "accepted" : "rejected";

export const statusWords: Record<ModerationStatus, string> = {
  pending: "Pending",
  accepted: "Accepted",
  rejected: "Rejected",
};

export const statusTone = { pending: "warn", accepted: "good", rejected: "bad" } as const;

const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** A language code in words, or the code where nobody knows it. */
export function languageWords(code: string): string {
  try {
    return languageNames.of(code) ?? code;
  } catch {
    return code; // not a language tag at all: shops send odd ones
  }
}

/** Languages one can filter by. */
export const languages =
  "bg cs da de el en es et fi fr ga hr hu is it lt lv mt nb nl no pl pt ro ru sk sl sr sv tr uk ar he hi ja ko zh"
    .split(" ")
    .sort((a, b) => languageWords(a).localeCompare(languageWords(b), "en"));

/** What the review is about: the product's name, or the best that is known of it. */
export const productOf = (item: QueueItem): string =>
  item.product ?? item.product_ids[0] ?? item.family_ids[0] ?? "Unknown product";

/** What happened to a review, as a line of its history. */
export function historyWords({ action, actor, from, to, reason }: HistoryEntry): string {
  const state = to === "rejected" ? `Rejected (${reasonWords(reason)})` : to === "accepted" ? "Accepted" : "Pending";
  if (action === "imported") return `${from === null ? "Imported" : "Changed by an import"}: ${state.toLowerCase()}`;
  if (action === "edited") return `Edited by ${actor}`;
  if (action === "held") return `Left to a person by ${actor}`;
  if (action === "reports_closed") return `Reports closed by ${actor}`;
  if (action === "verified") return `Address confirmed by ${actor}`;
  return to === "pending" ? `Back to pending by ${actor}` : `${state} by ${actor}`;
}
