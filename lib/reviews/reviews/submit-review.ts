import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import { type ClientRow, incentiveOf } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { batch } from "@/lib/platform/db/batch";
import { pool, writePool } from "@/lib/platform/db/pool";
import { throwIssues } from "@/lib/platform/errors";
import type { Issue } from "@/lib/platform/issue";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { insertReviews, type NewReview } from "@/lib/reviews/reviews/insert-reviews";
import {
  pickCollected,
  type ReviewSubmission,
  type SubmissionFields,
  validateSubmission,
} from "@/lib/reviews/reviews/rules";
import { upsertInvitedReview } from "@/lib/reviews/reviews/upsert-invited-review";
import { fingerprintOf } from "@/lib/reviews/submissions/fingerprint";
import type { InsertedSubmission } from "@/lib/reviews/submissions/insert-submissions";
import { storeSubmission, submittedRow } from "@/lib/reviews/submissions/store-submission";
import { uploadIssues } from "@/lib/reviews/uploads/claim-uploads";

const batchedInsert = () =>
  batch<NewReview, InsertedSubmission>("reviews", (reviews) => insertReviews(writePool(), reviews));

/**
 * Stores a submitted review as pending, with its history entry and the event `review/submitted`, and returns its id
 * after the commit. The same submission (client, product, author, address, text, score) within 60 seconds is stored
 * once: the second returns the first's id and `duplicate`. A second one for an item of the same invitation edits the
 * first. Throws `invalid_field` with all violations of settings and uploads.
 */
export async function submitReview(client: ClientRow, submission: ReviewSubmission): Promise<InsertedSubmission> {
  const { issues, answers } = await validateForProduct(client, submission);
  const review = await toRow(client, submission, answers);
  if (review.invitation_id !== null) {
    throwIssues(issues);
    return upsertInvitedReview(client, review, submission.images);
  }
  return storeSubmission(client, "review", review, submission.images, issues, async (row, db) =>
    db ? ((await insertReviews(db, [row]))[0] as InsertedSubmission) : batchedInsert()(row),
  );
}

/** Violations of settings and stored rows by a possibly incomplete submission. */
export async function submissionIssues(client: ClientRow, submission: SubmissionFields): Promise<Issue[]> {
  const { issues } = await validateForProduct(client, submission);
  return [...issues, ...(await uploadIssues(pool(), client, submission.images ?? []))];
}

async function validateForProduct(
  client: ClientRow,
  submission: SubmissionFields,
): Promise<{ issues: Issue[]; answers: CustomAnswers }> {
  const byCategory = (client.custom_questions as CustomQuestion[]).some(({ categories }) => categories.length > 0);
  const known = submission.category ?? null;
  const category = byCategory && known === null ? await categoryOf(client, submission) : known;
  return validateSubmission(client, submission, category);
}

/** The category that selects custom questions: the product's, or the family's if the review has only a family. */
export async function categoryOf(
  client: Pick<ClientRow, "id">,
  { productId, familyId }: Pick<SubmissionFields, "productId" | "familyId">,
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

async function toRow(client: ClientRow, submission: ReviewSubmission, answers: CustomAnswers): Promise<NewReview> {
  const { order, title, content, score } = submission;
  const collectedFields = pickCollected(client, submission);
  return {
    ...(await submittedRow(client, submission, {
      answers,
      texts: [title, content, ...collectedFields.pros, ...collectedFields.cons],
      fingerprint: order?.invitationId ? null : fingerprintFor(client, submission),
    })),
    ...collectedFields,
    category: submission.category,
    score,
    title,
    extract: content,
    order_id: order?.orderId ?? null,
    customer_id: order?.customerId ?? null,
    invitation_id: order?.invitationId ?? null,
    verified_buyer: order !== null,
    // An invitation's link was emailed to the customer's address.
    verified_email: submission.source === "invitation",
    incentivized: incentiveOf(client) !== null,
    images: [],
  };
}

/** Identifies repeated submissions of a review. */
function fingerprintFor(client: ClientRow, submission: ReviewSubmission): string {
  const { productId, familyId, author, authorEmail, score, title, content, pros, cons } = submission;
  const parts = [productId, familyId, author, authorEmail && emailKey(authorEmail), score, title, content, pros, cons];
  return fingerprintOf(client.id, "review", parts);
}
