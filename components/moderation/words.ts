import { reasonWords } from "@/components/moderation/reasons";
import type { HistoryEntry, QueueFilter, QueueItem } from "@/lib/moderation/queue/schema";
import { english, type Words } from "@/lib/platform/i18n/rules";
import type { DecidedKind, ModerationStatus, WrittenKind } from "@/lib/reviews/decisions/schema";

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

const namers = new Map<string, Intl.DisplayNames>();

/** A language code in words, or the code where nobody knows it. */
export function languageWords(code: string, locale = "en"): string {
  const namer = namers.get(locale) ?? new Intl.DisplayNames(locale, { type: "language" });
  namers.set(locale, namer);
  try {
    return namer.of(code) ?? code;
  } catch {
    return code; // not a language tag at all: shops send odd ones
  }
}

/** Languages one can filter by. */
export const languages =
  "bg cs da de el en es et fi fr ga hr hu is it lt lv mt nb nl no pl pt ro ru sk sl sr sv tr uk ar he hi ja ko zh".split(
    " ",
  );

const sorted = new Map<string, string[]>();

/** The languages one can filter by, in the order of their names. Put in order once: lists are drawn with every key. */
export function languagesByName(locale: string): string[] {
  const known = sorted.get(locale);
  if (known) return known;
  const { compare } = new Intl.Collator(locale);
  const list = [...languages].sort((a, b) => compare(languageWords(a, locale), languageWords(b, locale)));
  sorted.set(locale, list);
  return list;
}

/** What an item is about: the product's name, or the best that is known of it; the shop itself. */
export const productOf = (
  item: Pick<QueueItem, "kind" | "product" | "product_ids" | "family_ids">,
  t: Words = english,
): string =>
  item.kind === "seller_review"
    ? t("The shop")
    : (item.product ?? item.product_ids[0] ?? item.family_ids[0] ?? t("Unknown product"));

/** What an item says, for one line of a list. */
export const sentenceOf = (
  { title, extract, score }: Pick<QueueItem, "title" | "extract" | "score">,
  t: Words = english,
): string =>
  [title && (/[.?!…]$/.test(title) ? title : `${title}.`), extract].filter(Boolean).join(" ") ||
  (score === null ? "" : t("No text"));

/** Remembers, as 1, that the queue shows one item at a time. */
export const SINGLE_COOKIE = "candor.single";

/** What tells an item from all others: ids are unlike only within a kind. */
export const keyOf = ({ kind, id }: { kind: DecidedKind; id: string }): string => `${kind} ${id}`;

const itemNames: Record<DecidedKind, [named: string, unnamed: string]> = {
  review: ["the review by {author}", "the review by an unnamed author"],
  seller_review: ["the seller review by {author}", "the seller review by an unnamed author"],
  question: ["the question by {author}", "the question by an unnamed author"],
  answer: ["the answer by {author}", "the answer by an unnamed author"],
  photo: ["the photo by {author}", "the photo by an unnamed author"],
};

/** An item in a few words, within a sentence: `the review by Ada`. */
export const nameOf = ({ kind, author }: Pick<QueueItem, "kind" | "author">, t: Words = english): string =>
  author === null ? t(itemNames[kind][1]) : t(itemNames[kind][0], { author });

/** What was done, by whom: by the action, and for decisions by the state it led to. */
const deeds: Partial<Record<HistoryEntry["action"], string>> = {
  edited: "Edited by {actor}",
  held: "Left to a person by {actor}",
  replied: "Replied to by {actor}",
  reply_edited: "Reply reworded by {actor}",
  reply_removed: "Reply removed by {actor}",
  photo_hidden: "Photo hidden by {actor}",
  photo_shown: "Photo shown again by {actor}",
  reports_closed: "Reports closed by {actor}",
  verified: "Address confirmed by {actor}",
};
const decisions: Record<ModerationStatus, Record<"own" | "answer" | "imported" | "changed", string>> = {
  accepted: {
    own: "Accepted by {actor}",
    answer: "Answer accepted by {actor}",
    imported: "Imported: accepted",
    changed: "Changed by an import: accepted",
  },
  rejected: {
    own: "Rejected ({reason}) by {actor}",
    answer: "Answer rejected ({reason}) by {actor}",
    imported: "Imported: rejected ({reason})",
    changed: "Changed by an import: rejected ({reason})",
  },
  pending: {
    own: "Back to pending by {actor}",
    answer: "Answer back to pending by {actor}",
    imported: "Imported: pending",
    changed: "Changed by an import: pending",
  },
};

/** What happened to an item, as a line of its history. */
export function historyWords({ action, actor: who, from, to, reason }: HistoryEntry, t: Words = english): string {
  const actor = actorWords(who, t);
  const deed = deeds[action];
  if (deed) return t(deed, { actor });
  const way =
    action === "imported"
      ? from === null
        ? "imported"
        : "changed"
      : action === "answer_decided"
        ? "answer"
        : ("own" as const);
  return t(decisions[to ?? "pending"][way], { actor, reason: reasonWords(reason, t) });
}

/** Who acts when nobody does: told by the service in English. */
function actorWords(actor: string, t: Words): string {
  const rule = /^the rule “(.+)”$/.exec(actor)?.[1];
  if (rule !== undefined) return t("the rule “{rule}”", { rule: t(rule) });
  return /^the /.test(actor) ? t(actor) : actor;
}
