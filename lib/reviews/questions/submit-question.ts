import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { dayIn, now } from "@/lib/platform/clock";
import { pool, transaction, writePool } from "@/lib/platform/db/pool";
import { type Issue, throwIssues } from "@/lib/platform/errors";
import { newReviewId, newToken } from "@/lib/platform/ids";
import { clockShift } from "@/lib/platform/jobs/context";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { insertQuestion, type NewQuestion } from "@/lib/reviews/questions/insert-question";
import { judgeQuestion, type QuestionSubmission } from "@/lib/reviews/questions/rules";
import { languageOfTexts } from "@/lib/reviews/reviews/detect-language";
import { termsVersion } from "@/lib/reviews/reviews/submit-review";
import { findEarlier, fingerprintOf } from "@/lib/reviews/submissions/fingerprint";
import { claimUploads, uploadIssues } from "@/lib/reviews/uploads/claim-uploads";

/** What became of a submitted question: the id it is stored under, its own or that of the same one a moment ago. */
export type StoredQuestion = { id: string; duplicate: boolean };

/**
 * Stores a submitted question as pending and answers its id once it is committed, with its history entry and the fact
 * `question/submitted`. The same submission (client, product, author, address, text) within 60 seconds is stored once:
 * the second is answered with the id of the first and `duplicate`. Throws `invalid_field` with every issue that the
 * client's settings and the uploads show.
 */
export async function submitQuestion(client: ClientRow, submission: QuestionSubmission): Promise<StoredQuestion> {
  const { issues, answers } = judgeQuestion(client, submission);
  const question = await toRow(client, submission, answers);
  if (submission.images.length > 0) {
    const unusable = await uploadIssues(pool(), client, submission.images);
    // A repetition brings the images that the first one claimed.
    const earlier = issues.length === 0 && unusable.length > 0 ? await findEarlier(question) : null;
    if (earlier) return { id: earlier, duplicate: true };
    issues.push(...unusable);
  }
  throwIssues(issues);
  return submission.images.length > 0
    ? storeWithImages(client, question, submission.images)
    : insertQuestion(writePool(), question);
}

/** What settings and stored rows hold against a question of which perhaps only a part is readable. */
export async function questionIssues(client: ClientRow, submission: Partial<QuestionSubmission>): Promise<Issue[]> {
  return [
    ...judgeQuestion(client, submission).issues,
    ...(await uploadIssues(pool(), client, submission.images ?? [])),
  ];
}

async function storeWithImages(client: ClientRow, question: NewQuestion, tokens: string[]): Promise<StoredQuestion> {
  return transaction(async (db) => {
    const stored = await insertQuestion(db, question);
    if (stored.duplicate) return stored;
    const images = await claimUploads(db, client, tokens, { kind: "question", id: stored.id });
    await db.query("update questions set images = $3 where client_id = $1 and id = $2", [
      client.id,
      stored.id,
      JSON.stringify(images),
    ]);
    return stored;
  });
}

async function toRow(client: ClientRow, submission: QuestionSubmission, answers: CustomAnswers): Promise<NewQuestion> {
  const { productId, familyId, author, authorEmail, question, details } = submission;
  const email_key = authorEmail && emailKey(authorEmail);
  const written = now().toISOString();
  return {
    client_id: client.id,
    id: newReviewId(),
    fingerprint: fingerprintOf(client.id, "question", [productId, familyId, author, email_key, question, details]),
    source: submission.source,
    product_id: productId,
    family_id: familyId,
    product_name: submission.productName,
    product_url: submission.productUrl,
    author,
    author_email: authorEmail,
    email_key,
    author_ip: submission.authorIp,
    question,
    details,
    mail_answer: submission.mailAnswer,
    verification: client.require_verification ? "due" : null,
    answers,
    lang: submission.lang ?? (await languageOfTexts(client, [question, details])),
    date: dayIn(timeZoneOf(client)),
    terms_agreed_at: submission.termsAgreed ? written : null,
    terms_version: submission.termsAgreed ? termsVersion(client.config) : null,
    feedback_token: newToken(),
    clock_at: clockShift() === null ? null : written,
  };
}
