import { createHash } from "node:crypto";
import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { dayIn, now } from "@/lib/platform/clock";
import { gather } from "@/lib/platform/db/gather";
import { pool, transaction, writePool } from "@/lib/platform/db/pool";
import { type Issue, throwIssues } from "@/lib/platform/errors";
import { newReviewId, newToken } from "@/lib/platform/ids";
import { clockShift } from "@/lib/platform/jobs/context";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { languageOfTexts } from "@/lib/reviews/reviews/detect-language";
import { editInvitedReview } from "@/lib/reviews/reviews/edit-invited-review";
import { insertReviews, type NewReview } from "@/lib/reviews/reviews/insert-reviews";
import { collected, type JudgedSubmission, judgeSubmission, type ReviewSubmission } from "@/lib/reviews/reviews/rules";
import { findEarlier, fingerprintOf } from "@/lib/reviews/submissions/fingerprint";
import type { Inserted } from "@/lib/reviews/submissions/insert-submissions";
import { claimUploads, uploadIssues } from "@/lib/reviews/uploads/claim-uploads";

const commit = () => gather<NewReview, Inserted>("reviews", (reviews) => insertReviews(writePool(), reviews));

/**
 * Stores a submitted review as pending and answers its id once it is committed, with its history entry and the fact
 * `review/submitted`. The same submission (client, product, author, address, text, score) within 60 seconds is stored
 * once: the second is answered with the id of the first and `duplicate`. A second one for an item of the same invitation
 * edits the first. Throws `invalid_field` with every issue that the client's settings and the uploads show.
 */
export async function submitReview(client: ClientRow, submission: ReviewSubmission): Promise<Inserted> {
  const { issues, answers } = await judged(client, submission);
  const review = await toRow(client, submission, answers);
  const ofInvitation = review.invitation_id !== null;
  if (submission.images.length > 0 && !ofInvitation) {
    const unusable = await uploadIssues(pool(), client, submission.images);
    // A repetition brings the images that the first one claimed.
    const earlier = issues.length === 0 && unusable.length > 0 ? await findEarlier(review) : null;
    if (earlier) return { id: earlier, duplicate: true };
    issues.push(...unusable);
  }
  throwIssues(issues);
  if (ofInvitation) return editInvitedReview(client, review, submission.images);
  return submission.images.length > 0 ? storeWithImages(client, review, submission.images) : commit()(review);
}

/** What the client's settings and stored rows hold against a submission of which perhaps only a part is readable. */
export async function submissionIssues(client: ClientRow, submission: JudgedSubmission): Promise<Issue[]> {
  const { issues } = await judged(client, submission);
  return [...issues, ...(await uploadIssues(pool(), client, submission.images ?? []))];
}

async function judged(
  client: ClientRow,
  submission: JudgedSubmission,
): Promise<{ issues: Issue[]; answers: CustomAnswers }> {
  const byCategory = (client.custom_questions as CustomQuestion[]).some(({ categories }) => categories.length > 0);
  const known = submission.category ?? null;
  const category = byCategory && known === null ? await categoryOf(client, submission) : known;
  return judgeSubmission(client, submission, category);
}

/** The category that decides which custom questions are asked: the product's; of a review that names only a family, its. */
export async function categoryOf(
  client: Pick<ClientRow, "id">,
  { productId, familyId }: Pick<JudgedSubmission, "productId" | "familyId">,
): Promise<string | null> {
  const { rows } = await pool().query<{ category: string | null }>({
    name: "category-of-subject",
    text: `select category from products
            where client_id = $1 and (id = $2 or ($2 is null and family_id = $3)) and category is not null
            order by id limit 1`,
    values: [client.id, productId ?? null, familyId ?? null],
  });
  return rows[0]?.category ?? null;
}

async function storeWithImages(client: ClientRow, review: NewReview, tokens: string[]): Promise<Inserted> {
  return transaction(async (db) => {
    const [stored] = await insertReviews(db, [review]);
    if (!stored || stored.duplicate) return stored as Inserted;
    const images = await claimUploads(db, client, tokens, { kind: "review", id: stored.id });
    await db.query("update reviews set images = $3 where client_id = $1 and id = $2", [
      client.id,
      stored.id,
      JSON.stringify(images),
    ]);
    return stored;
  });
}

async function toRow(client: ClientRow, submission: ReviewSubmission, answers: CustomAnswers): Promise<NewReview> {
  const { order, title, content } = submission;
  const kept = collected(client, submission);
  const written = now().toISOString();
  return {
    client_id: client.id,
    id: newReviewId(),
    fingerprint: order?.invitationId ? null : fingerprintFor(client, submission),
    source: submission.source,
    product_id: submission.productId,
    family_id: submission.familyId,
    product_name: submission.productName,
    product_url: submission.productUrl,
    category: submission.category,
    author: submission.author,
    author_email: submission.authorEmail,
    email_key: submission.authorEmail && emailKey(submission.authorEmail),
    author_ip: submission.authorIp,
    score: submission.score,
    title,
    extract: content,
    ...kept,
    answers,
    lang: submission.lang ?? (await languageOfTexts(client, [title, content, ...kept.pros, ...kept.cons])),
    date: dayIn(timeZoneOf(client)),
    order_id: order?.orderId ?? null,
    customer_id: order?.customerId ?? null,
    invitation_id: order?.invitationId ?? null,
    verified_buyer: order !== null,
    // An invitation's link was mailed to the customer's address.
    verified_email: submission.source === "invitation",
    verification: client.require_verification && submission.source !== "invitation" ? "due" : null,
    terms_agreed_at: submission.termsAgreed ? written : null,
    terms_version: submission.termsAgreed ? termsVersion(client.config) : null,
    feedback_token: newToken(),
    images: [],
    clock_at: clockShift() === null ? null : written,
  };
}

/** Which wording of the terms somebody agreed to: changes when it does; null where the client has none. */
export function termsVersion({ terms_url, terms_text }: Record<string, unknown>): string | null {
  if (!terms_url && !terms_text) return null;
  return createHash("sha256")
    .update(JSON.stringify([terms_url, terms_text]))
    .digest("hex")
    .slice(0, 16);
}

/** What makes two reviews the same submission. */
function fingerprintFor(client: ClientRow, submission: ReviewSubmission): string {
  const { productId, familyId, author, authorEmail, score, title, content, pros, cons } = submission;
  const parts = [productId, familyId, author, authorEmail && emailKey(authorEmail), score, title, content, pros, cons];
  return fingerprintOf(client.id, "review", parts);
}
