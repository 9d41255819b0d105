import { createHash, randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { dayIn, now } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { throwIssues } from "@/lib/platform/errors";
import { newReviewId, newToken } from "@/lib/platform/ids";
import type { Issue } from "@/lib/platform/issue";
import { clockShift } from "@/lib/platform/jobs/context";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { languageOfTexts } from "@/lib/reviews/reviews/detect-language";
import { findDuplicate } from "@/lib/reviews/submissions/fingerprint";
import type { InsertedSubmission, NewSubmission } from "@/lib/reviews/submissions/insert-submissions";
import type { Submission } from "@/lib/reviews/submissions/rules";
import { claimUploads, uploadIssues } from "@/lib/reviews/uploads/claim-uploads";

/** The columns common to rows of every kind. The language is detected from `texts` if the submission has none. */
export async function submittedRow(
  client: ClientRow,
  submission: Submission & { source: string },
  { answers, texts, fingerprint }: { answers: CustomAnswers; texts: (string | null)[]; fingerprint: string | null },
): Promise<NewSubmission> {
  const written = now().toISOString();
  return {
    client_id: client.id,
    id: newReviewId(),
    fingerprint,
    source: submission.source,
    product_id: submission.productId,
    family_id: submission.familyId,
    product_name: submission.productName,
    product_url: submission.productUrl,
    author: submission.author,
    author_email: submission.authorEmail,
    email_key: submission.authorEmail && emailKey(submission.authorEmail),
    author_ip: submission.authorIp,
    answers,
    lang: submission.lang ?? (await languageOfTexts(client, texts)),
    date: dayIn(timeZoneOf(client)),
    // An invitation's link was emailed to the customer's address.
    verification: client.require_verification && submission.source !== "invitation" ? "due" : null,
    terms_agreed_at: submission.termsAgreed ? written : null,
    terms_version: submission.termsAgreed ? termsVersion(client.config) : null,
    feedback_token: newToken(),
    salt: randomUUID(),
    clock_at: clockShift() === null ? null : written,
  };
}

/** Identifies the wording of the terms a person agreed to; null if the client has none. */
export function termsVersion({ terms_url, terms_text }: Record<string, unknown>): string | null {
  if (!terms_url && !terms_text) return null;
  return createHash("sha256")
    .update(JSON.stringify([terms_url, terms_text]))
    .digest("hex")
    .slice(0, 16);
}

/**
 * Stores a submission once, with its uploads. `insert` stores the row, in the transaction that claims the uploads if
 * there are any. Throws `invalid_field` with `issues` and those of the uploads.
 */
export async function storeSubmission<Row extends NewSubmission>(
  client: ClientRow,
  kind: "review" | "question",
  row: Row,
  tokens: string[],
  issues: Issue[],
  insert: (row: Row, db?: PoolClient) => Promise<InsertedSubmission>,
): Promise<InsertedSubmission> {
  const unusable = await uploadIssues(pool(), client, tokens);
  // A repeated submission names the images that the first one claimed.
  const earlier = issues.length === 0 && unusable.length > 0 ? await findDuplicate(row) : null;
  if (earlier) return { id: earlier, salt: null, duplicate: true };
  throwIssues([...issues, ...unusable]);
  if (tokens.length === 0) return insert(row);
  return transaction(async (db) => {
    const stored = await insert(row, db);
    if (stored.duplicate) return stored;
    const images = await claimUploads(db, client, tokens, { kind, id: stored.id });
    await db.query(`update ${kind}s set images = $3 where client_id = $1 and id = $2`, [
      client.id,
      stored.id,
      JSON.stringify(images),
    ]);
    return stored;
  });
}
