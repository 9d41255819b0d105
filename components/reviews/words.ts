import {
  type DecidedKind,
  kindWords,
  type ModerationStatus,
  type RejectReason,
  type WrittenKind,
} from "@/lib/moderation/schema";
import type { HistoryEntry, QueueFilter, QueueItem } from "@/lib/queue/schema";

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

/** What cannot be said against an item of a kind. */
const unfit: Record<DecidedKind, RejectReason[]> = {
  review: [],
  seller_review: ["not_tested", "not_about_product"],
  question: ["question", "not_tested"],
  answer: ["question", "not_tested", "price"],
  photo: ["question", "not_tested", "price", "wrong_language"],
};

/** The reasons for which an item of a kind may be rejected, in the order of their keys. */
export const reasonsFor = (kind: DecidedKind): Reason[] => reasons.filter(({ code }) => !unfit[kind].includes(code));

/** The reasons that fit all of several items; what fits one alone would be a wrong word about the others. */
export const reasonsForAll = (items: readonly { kind: DecidedKind }[]): Reason[] =>
  reasons.filter(({ code }) => items.every(({ kind }) => !unfit[kind].includes(code)));

/** Where the items of a kind are in the portal; answers are on their questions' pages, photos with their words. */
export const pageOf: Record<WrittenKind, string> = {
  review: "/portal/reviews",
  seller_review: "/portal/seller_reviews",
  question: "/portal/questions",
  answer: "/portal/questions",
};

type Placed = { kind: DecidedKind; id: string } & Partial<Pick<QueueItem, "question_id" | "came_with">>;

/** The page of one item; of a photo that of what it came with. */
export const itemPath = ({ kind, id, question_id, came_with }: Placed): string =>
  kind === "photo" ? (came_with ? itemPath(came_with) : "/portal/queue") : `${pageOf[kind]}/${question_id ?? id}`;

/** The address of the queue with a filter: each kind has a page of its own, all together are at `/portal/queue`. */
export function queueAddress(filter: QueueFilter, more: { client_id?: string; item?: string } = {}): string {
  const { kind, status, ...rest } = filter;
  const own = kind === "review" || kind === "seller_review" || kind === "question";
  const path = own ? pageOf[kind] : "/portal/queue";
  const search = new URLSearchParams();
  if (more.client_id) search.set("client_id", more.client_id);
  if (kind && !own) search.set("kind", kind);
  if (status !== "pending") search.set("status", status);
  for (const [name, value] of Object.entries({ ...rest, item: more.item })) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The kind that a page of the queue is about. */
export const kindOfPage = (path: string): DecidedKind | undefined =>
  (["review", "seller_review", "question"] as const).find((kind) => pageOf[kind] === path);

/** Several items of a kind, as headings say it. */
export const kindTitles: Record<DecidedKind, string> = {
  review: "Reviews",
  seller_review: "Seller reviews",
  question: "Questions",
  answer: "Answers",
  photo: "Photos",
};

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
  portal: "Portal",
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

/** What an item is about: the product's name, or the best that is known of it; the shop itself. */
export const productOf = (item: Pick<QueueItem, "kind" | "product" | "product_ids" | "family_ids">): string =>
  item.kind === "seller_review"
    ? "The shop"
    : (item.product ?? item.product_ids[0] ?? item.family_ids[0] ?? "Unknown product");

/** What an item says, for one line of a list. */
export const sentenceOf = ({ title, extract, score }: Pick<QueueItem, "title" | "extract" | "score">): string =>
  [title && (/[.?!…]$/.test(title) ? title : `${title}.`), extract].filter(Boolean).join(" ") ||
  (score === null ? "" : "No text");

/** Remembers, as 1, that the queue shows one item at a time. */
export const SINGLE_COOKIE = "candor.single";

/** What tells an item from all others: ids are unlike only within a kind. */
export const keyOf = ({ kind, id }: { kind: DecidedKind; id: string }): string => `${kind} ${id}`;

/** An item in a few words, within a sentence: `the review by Ada`. */
export const nameOf = ({ kind, author }: Pick<QueueItem, "kind" | "author">): string =>
  `the ${kindWords[kind]} by ${author ?? "an unnamed author"}`;

/** What happened to an item, as a line of its history. */
export function historyWords({ action, actor, from, to, reason }: HistoryEntry): string {
  const state = to === "rejected" ? `Rejected (${reasonWords(reason)})` : to === "accepted" ? "Accepted" : "Pending";
  if (action === "imported") return `${from === null ? "Imported" : "Changed by an import"}: ${state.toLowerCase()}`;
  if (action === "edited") return `Edited by ${actor}`;
  if (action === "held") return `Left to a person by ${actor}`;
  if (action === "replied") return `Replied to by ${actor}`;
  if (action === "reply_edited") return `Reply reworded by ${actor}`;
  if (action === "reply_removed") return `Reply removed by ${actor}`;
  if (action === "answer_decided")
    return `Answer ${to === "pending" ? "back to pending" : state.toLowerCase()} by ${actor}`;
  if (action === "photo_hidden") return `Photo hidden by ${actor}`;
  if (action === "photo_shown") return `Photo shown again by ${actor}`;
  if (action === "reports_closed") return `Reports closed by ${actor}`;
  if (action === "verified") return `Address confirmed by ${actor}`;
  return to === "pending" ? `Back to pending by ${actor}` : `${state} by ${actor}`;
}
