import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { Finding } from "@/lib/moderation/rules/schema";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import type { ContributionTable } from "@/lib/reviews/contributions/schema";
import { contributionJson, portalAddresses } from "@/lib/reviews/contributions/serialize";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import type { Question } from "@/lib/reviews/questions/schema";
import type { Review } from "@/lib/reviews/reviews/schema";
import type { SellerReview } from "@/lib/reviews/seller-reviews/schema";
import type { QueueRow } from "./sql";

const pages: Record<ModeratedKind, ContributionTable> = {
  review: "reviews",
  seller_review: "seller_reviews",
  question: "questions",
};

/** Fields that only reviews have, with the values other kinds use. */
const emptyReviewFields = {
  score: null,
  stars_hidden: false,
  pros: [],
  cons: [],
  product: null,
  product_ids: [],
  family_ids: [],
  order_id: null,
  verified_buyer: false,
  mail_answer: false,
  question_id: null,
  came_with: null,
};

/** Who reads items: whether they see personal data, and no stars of what isn't decided. */
export type ItemReader = { people: boolean; hidesStars: boolean };

/** Converts a row to the portal's JSON. Hides from its reader what they aren't to see. */
export function toQueueItem(row: QueueRow, clientId: string, reader: ItemReader, found: Finding[] = []): QueueItem {
  const { people } = reader;
  const {
    kind,
    id,
    accepted,
    source,
    product_url,
    unverified,
    verified_email,
    reports,
    replies,
    reject_reason,
    revision,
    assigned,
    appeal,
  } = row;
  const own = {
    kind,
    id,
    accepted,
    reject_reason,
    received_at: toIsoSeconds(row.created_at),
    source,
    product_url,
    unverified,
    verified_email,
    customer_id: people ? row.customer_id : null,
    reports,
    replies,
    revision,
    assigned,
    appeal: appeal && { ...appeal, at: toIsoSeconds(new Date(appeal.at)) },
    // Findings in a question's fields are mapped to `title` and `extract`.
    findings: kind === "question" ? found.map(renameField) : found,
  };
  if (kind === "answer") return { ...emptyReviewFields, ...answerOf(row, clientId), ...own };
  // A photo shows the item it was uploaded with and links to its page. Its own image is visible whatever its state.
  const { came_with } = row;
  const of = kind === "photo" ? (came_with ?? { kind: "review", id: "" }) : { kind, id };
  const portal = portalAddresses(pages[of.kind], clientId);
  const shown = kind !== "photo" && accepted ? "t" : null;
  const line = contributionJson([row.body ?? "{", of.id, row.images, shown], portal, { people });
  if (of.kind === "question") {
    const { question, details, answers: _, accepted_at: __, ...shared } = JSON.parse(line) as Question;
    return {
      ...emptyReviewFields,
      ...shared,
      title: question,
      extract: details,
      ...own,
      product: row.product,
      came_with,
    };
  }
  const written = JSON.parse(line) as Review | SellerReview;
  const { title } = written.properties as { title?: unknown };
  // A photo has a decision of its own, and the stars of its text.
  const isHidden = reader.hidesStars && (accepted === null || written.accepted === null);
  return {
    ...emptyReviewFields,
    ...pickReviewFields(written),
    ...(isHidden && { score: null, stars_hidden: true }),
    title: typeof title === "string" && title !== "" ? title : null,
    ...own,
    product: row.product,
    came_with,
  };
}

/** The fields of a review or seller review that the queue shows. */
function pickReviewFields(written: Review | SellerReview) {
  const { author, date, score, extract, lang, verified_buyer, images, properties, order_id, updated_at } = written;
  const { portal_url, author_email } = written;
  const shared = { author, date, score, extract, lang, verified_buyer, images, properties, order_id, updated_at };
  const incentivized = written.incentivized ? { incentivized: true } : {};
  if (!("product_ids" in written)) return { ...shared, ...incentivized, portal_url, author_email };
  const { pros, cons, product, product_ids, family_ids } = written;
  return { ...shared, ...incentivized, portal_url, author_email, pros, cons, product, product_ids, family_ids };
}

function answerOf({ answer }: QueueRow, clientId: string) {
  const { question_id = "", question = "", product = null, author = "", date = "", text = "" } = answer ?? {};
  const portal = portalAddresses("questions", clientId);
  return {
    author,
    date,
    title: question,
    extract: text,
    product,
    lang: answer?.lang ?? null,
    images: [],
    properties: {},
    updated_at: answer?.updated_at ?? "",
    author_email: null,
    portal_url: `${portal.before}${question_id}${portal.after}`,
    question_id,
  };
}

const fields: Record<string, string> = { question: "title", details: "extract" };
const renameField = (finding: Finding): Finding => ({
  ...finding,
  field: finding.field === null ? null : (fields[finding.field] ?? finding.field),
});
