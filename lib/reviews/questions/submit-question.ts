import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool, writePool } from "@/lib/platform/db/pool";
import type { Issue } from "@/lib/platform/issue";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { insertQuestion, type NewQuestion } from "@/lib/reviews/questions/insert-question";
import { type QuestionSubmission, validateQuestion } from "@/lib/reviews/questions/rules";
import { fingerprintOf } from "@/lib/reviews/submissions/fingerprint";
import type { InsertedSubmission } from "@/lib/reviews/submissions/insert-submissions";
import { storeSubmission, submittedRow } from "@/lib/reviews/submissions/store-submission";
import { uploadIssues } from "@/lib/reviews/uploads/claim-uploads";

/**
 * Stores a submitted question as pending, with its history entry and the event `question/submitted`, and returns its id
 * after the commit. The same submission (client, product, author, address, text) within 60 seconds is stored once: the
 * second returns the first's id and `duplicate`. Throws `invalid_field` with all violations of settings and uploads.
 */
export async function submitQuestion(client: ClientRow, submission: QuestionSubmission): Promise<InsertedSubmission> {
  const { issues, answers } = validateQuestion(client, submission);
  const question = await toRow(client, submission, answers);
  return storeSubmission(client, "question", question, submission.images, issues, (row, db) =>
    insertQuestion(db ?? writePool(), row),
  );
}

/** Violations of settings and stored rows by a possibly incomplete question. */
export async function questionIssues(client: ClientRow, submission: Partial<QuestionSubmission>): Promise<Issue[]> {
  return [
    ...validateQuestion(client, submission).issues,
    ...(await uploadIssues(pool(), client, submission.images ?? [])),
  ];
}

async function toRow(client: ClientRow, submission: QuestionSubmission, answers: CustomAnswers): Promise<NewQuestion> {
  const { productId, familyId, author, authorEmail, question, details } = submission;
  const parts = [productId, familyId, author, authorEmail && emailKey(authorEmail), question, details];
  const fingerprint = fingerprintOf(client.id, "question", parts);
  return {
    ...(await submittedRow(client, submission, { answers, texts: [question, details], fingerprint })),
    question,
    details,
    mail_answer: submission.mailAnswer,
  };
}
