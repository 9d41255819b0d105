import { reasonLabel } from "@/components/moderation/reject-reasons";
import type { HistoryEntry, QueueFilter, QueueItem } from "@/lib/moderation/queue/schema";
import { ruleLabels } from "@/lib/moderation/rules/values";
import { textFor } from "@/lib/platform/i18n/text-for";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";
import type { DecidedKind, ModerationStatus, TextKind } from "@/lib/reviews/decisions/schema";

/** Pages for the items of a kind. Answers are on their questions' pages, photos with their texts. */
export const pageByKind: Record<TextKind, string> = {
  review: "/portal/reviews",
  seller_review: "/portal/seller_reviews",
  question: "/portal/questions",
  answer: "/portal/questions",
};

type ItemReference = { kind: DecidedKind; id: string } & Partial<Pick<QueueItem, "question_id" | "came_with">>;

/** The page of an item; for a photo, that of the item it belongs to. */
export const itemPath = ({ kind, id, question_id, came_with }: ItemReference): string =>
  kind === "photo" ? (came_with ? itemPath(came_with) : "/portal/queue") : `${pageByKind[kind]}/${question_id ?? id}`;

/** The queue's address with a filter: each kind has a page, all kinds together are at `/portal/queue`. */
export function queueAddress(filter: QueueFilter, more: { client_id?: string; item?: string } = {}): string {
  const { kind, status, ...rest } = filter;
  const own = kind === "review" || kind === "seller_review" || kind === "question";
  const path = own ? pageByKind[kind] : "/portal/queue";
  const search = new URLSearchParams();
  if (more.client_id) search.set("client_id", more.client_id);
  if (kind && !own) search.set("kind", kind);
  if (status !== "pending") search.set("status", status);
  for (const [name, value] of Object.entries({ ...rest, item: more.item })) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The kind that a page of the queue shows. */
export const kindOfPage = (path: string): DecidedKind | undefined =>
  (["review", "seller_review", "question"] as const).find((kind) => pageByKind[kind] === path);

/** Plural names of the kinds, for headings. */
export const kindTitles: Record<DecidedKind, MessageKey> = {
  review: "common.reviews",
  seller_review: "common.sellerReviews",
  question: "common.questions",
  answer: "common.answers",
  photo: "queue.photos",
};

export const sourceLabels: Record<QueueItem["source"], MessageKey> = {
  invitation: "common.invitation",
  web: "queue.webForm",
  collect: "queue.website",
  api: "queue.api",
  import: "common.import",
  portal: "navigation.portal",
};

export const toStatus = (accepted: boolean | null): ModerationStatus =>
  accepted === null ? "pending" : accepted ? "accepted" : "rejected";

export const statusLabels: Record<ModerationStatus, MessageKey> = {
  pending: "common.pending",
  accepted: "common.published",
  rejected: "common.rejected",
};

export const statusTone = { pending: "warn", accepted: "good", rejected: "bad" } as const;

const displayNames = new Map<string, Intl.DisplayNames>();

/** A language code in words, or the code if it is unknown. */
export function languageLabel(code: string, locale = "en"): string {
  const namer = displayNames.get(locale) ?? new Intl.DisplayNames(locale, { type: "language" });
  displayNames.set(locale, namer);
  try {
    return namer.of(code) ?? code;
  } catch {
    return code; // not a valid language tag: stores send arbitrary codes
  }
}

/** Languages to filter by. */
export const languages =
  "bg cs da de el en es et fi fr ga hr hu is it lt lv mt nb nl no pl pt ro ru sk sl sr sv tr uk ar he hi ja ko zh".split(
    " ",
  );

const sorted = new Map<string, string[]>();

/** The languages to filter by, sorted by name. Cached, because lists are rendered at every keystroke. */
export function languagesByName(locale: string): string[] {
  const known = sorted.get(locale);
  if (known) return known;
  const { compare } = new Intl.Collator(locale);
  const list = [...languages].sort((a, b) => compare(languageLabel(a, locale), languageLabel(b, locale)));
  sorted.set(locale, list);
  return list;
}

/** An item's subject: the product's name, or the best known alternative; the store itself. */
export const productOf = (
  item: Pick<QueueItem, "kind" | "product" | "product_ids" | "family_ids">,
  t: Translate,
): string =>
  item.kind === "seller_review"
    ? t("common.store")
    : (item.product ?? item.product_ids[0] ?? item.family_ids[0] ?? t("common.unknownProduct"));

/** Characters of a text that names an item. */
const NAME_LENGTH = 60;

/** What an item's page is called: the beginning of its title; without one its product, or of a seller review its text. */
export function itemTitle(
  item: Pick<QueueItem, "kind" | "title" | "extract" | "product" | "product_ids" | "family_ids">,
  t: Translate,
): string {
  if (item.title !== null) return shortened(item.title);
  if (item.kind !== "seller_review") return productOf(item, t);
  return shortened(item.extract ?? "") || t("queue.sellerReview");
}

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= NAME_LENGTH) return text;
  return `${characters.slice(0, NAME_LENGTH).join("").trimEnd()}…`;
}

/** An item's text for one line of a list. */
export const excerptOf = (
  { title, extract, score }: Pick<QueueItem, "title" | "extract" | "score">,
  t: Translate,
): string =>
  [title && (/[.?!…]$/.test(title) ? title : `${title}.`), extract].filter(Boolean).join(" ") ||
  (score === null ? "" : t("common.noText"));

/** Is 1 if the queue shows one item at a time. */
export const SINGLE_COOKIE = "candor.single";

/** Identifies an item among all kinds: ids are unique only within a kind. */
export const itemKey = ({ kind, id }: { kind: DecidedKind; id: string }): string => `${kind} ${id}`;

const itemNames: Record<DecidedKind, [named: MessageKey, unnamed: MessageKey]> = {
  review: ["queue.nameReview", "queue.nameAnonymousReview"],
  seller_review: ["queue.nameSellerReview", "queue.nameAnonymousSellerReview"],
  question: ["queue.nameQuestion", "queue.nameAnonymousQuestion"],
  answer: ["queue.nameAnswer", "queue.nameAnonymousAnswer"],
  photo: ["queue.namePhoto", "queue.nameAnonymousPhoto"],
};

/** An item in a few words, for use in a sentence: `the review by Ada`. */
export const itemName = ({ kind, author }: Pick<QueueItem, "kind" | "author">, t: Translate): string =>
  author === null ? t(itemNames[kind][1]) : t(itemNames[kind][0], { author });

/** Texts by action; decisions have one by the resulting state. */
const actionLabels: Partial<Record<HistoryEntry["action"], MessageKey>> = {
  edited: "queue.historyEdited",
  held: "queue.historyHeld",
  replied: "queue.historyReplied",
  reply_edited: "queue.historyReplyEdited",
  reply_removed: "queue.historyReplyRemoved",
  photo_hidden: "queue.historyPhotoHidden",
  photo_shown: "queue.historyPhotoUnhidden",
  reported: "queue.historyReported",
  reports_closed: "queue.historyReportsClosed",
  verified: "queue.historyEmailVerified",
  appealed: "queue.historyAppealed",
};
const decisions: Record<ModerationStatus, Record<"own" | "answer" | "imported" | "changed", MessageKey>> = {
  accepted: {
    own: "queue.historyApproved",
    answer: "queue.historyAnswerApproved",
    imported: "queue.importedPublished",
    changed: "queue.importChangedPublished",
  },
  rejected: {
    own: "queue.historyRejected",
    answer: "queue.historyAnswerRejected",
    imported: "queue.importedRejected",
    changed: "queue.importChangedRejected",
  },
  pending: {
    own: "queue.historyPending",
    answer: "queue.historyAnswerPending",
    imported: "queue.importedPending",
    changed: "queue.importChangedPending",
  },
};

/** An entry of an item's history, as text. */
export function historyText({ action, actor: who, from, to, reason }: HistoryEntry, t: Translate): string {
  const actor = actorLabel(who, t);
  const actionLabel = actionLabels[action];
  if (actionLabel) return t(actionLabel, { actor });
  const outcome =
    action === "imported"
      ? from === null
        ? "imported"
        : "changed"
      : action === "answer_decided"
        ? "answer"
        : ("own" as const);
  return t(decisions[to ?? "pending"][outcome], { actor, reason: reasonLabel(reason, t) });
}

/** The actor's name, or what kind of actor it is. */
function actorLabel({ kind, name, rule }: HistoryEntry["actor"], t: Translate): string {
  if (kind === "rule")
    return rule === null ? t("queue.actorRules") : t("queue.actorRule", { rule: textFor(ruleLabels, rule, t) ?? rule });
  return name ?? textFor(unnamedActors, kind, t) ?? t("queue.actorSystem");
}

const unnamedActors: Record<string, MessageKey> = {
  author: "queue.actorAuthor",
  key: "queue.actorKey",
  user: "queue.actorUser",
};

/** Names of the built-in views, by id. */
export const systemViewNames: Record<string, MessageKey> = {
  waiting: "queue.viewPending",
  assigned: "queue.assignedToMe",
  "waiting-photo": "queue.viewPendingPhotos",
  photos: "queue.viewUnmoderatedPhotos",
  "waiting-day": "queue.viewPendingDay",
  reported: "queue.viewReported",
  unanswered: "queue.viewUnanswered",
  unreplied: "queue.viewNoReply",
  fake: "queue.viewSpam",
};
