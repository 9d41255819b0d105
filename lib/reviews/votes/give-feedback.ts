import { createHmac, createSecretKey } from "node:crypto";
import type { PoolClient } from "pg";
import { refuseForeignOrigin } from "@/lib/accounts/sign-in/resolve-client";
import { transaction } from "@/lib/platform/db/pool";
import { lastingKey } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { networkOf } from "@/lib/platform/http/address";
import { newId } from "@/lib/platform/ids";
import { perProcess } from "@/lib/platform/process";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { castVote, type FeedbackTarget, findTarget } from "@/lib/reviews/votes/cast-vote";
import type { FeedbackForm } from "@/lib/reviews/votes/schema";

/** The sender's network address, the page's origin if a browser sends one, and the page's language, if known. */
type Sender = { address: string; origin: string | null; language?: string | null };

/**
 * Counts a visitor's vote on an accepted review, or stores a report of it. Later votes of a `voter_id` replace the
 * earlier one, and `reset` removes it; without a `voter_id`, one vote per network address counts in 24 hours, and later
 * ones replace it. Another report of the same voter, or in that time of the same address, updates the open report.
 * Throws `not_found` if the token matches no displayed review, `forbidden` for an origin the client doesn't list.
 */
export async function giveFeedback(token: string, feedback: FeedbackForm, sender: Sender): Promise<undefined> {
  const review = await findTarget(token);
  if (!review) throw unknownReview();
  refuseForeignOrigin(review, sender.origin);
  const voter = voterOf(review, feedback.voter_id, sender.address);
  if (feedback.type !== "bad" && feedback.voter_id) {
    const value = { up: 1, down: -1, reset: 0 } as const;
    if (!(await castVote({ ...review, voter, value: value[feedback.type] }))) throw unknownReview();
    return undefined;
  }
  await transaction(async (db) => {
    // Locks the review, so that its reports and votes are processed one after the other.
    const { rowCount } = await db.query(
      "select from reviews where client_id = $1 and id = $2 and accepted for update",
      [review.client_id, review.id],
    );
    if (!rowCount) throw unknownReview();
    if (feedback.type === "bad") {
      // The dot marks the hash of an address, as in votes: a job removes it after a day.
      const reporter = feedback.voter_id ? voter : `${voter}.`;
      return saveReport(db, review, reporter, feedback, sender.language ?? null);
    }
    return voteByAddress(db, review, voter, feedback.type === "up" ? 1 : -1);
  });
  return undefined;
}

const unknownReview = () => new AppError("not_found", { reason: "review_not_found" });

/** Keyed, since an address or visitor id identifies a person; different for each review. */
function voterOf({ client_id, id }: FeedbackTarget, voterId: string | undefined, address: string): string {
  const key = perProcess("voter-key", () => createSecretKey(lastingKey("voter/1")));
  const voter = voterId ? ["voter", voterId] : ["address", networkOf(address)];
  return createHmac("sha256", key)
    .update(JSON.stringify([client_id, id, ...voter]))
    .digest("base64url")
    .slice(0, 32);
}

/**
 * Counts a vote by address, or changes the one of the last 24 hours. The time is part of the voter, so tomorrow's vote
 * is a different one and counts as well.
 */
async function voteByAddress(db: PoolClient, review: FeedbackTarget, voter: string, value: 1 | -1): Promise<void> {
  // Locks the earlier vote, whose address may be about to be forgotten: then this is a new vote.
  const { rows } = await db.query<{ is_changed: boolean; is_new: boolean }>(
    `with earlier as (
       select voter from votes where client_id = $1 and review_id = $2 and voter >= $3 || '.' and voter < $3 || '/'
          and created_at > now() - interval '24 hours' limit 1 for update),
     changed as (
       update votes v set value = $4, updated_at = now() from earlier
        where v.client_id = $1 and v.review_id = $2 and v.voter = earlier.voter and v.value <> $4
       returning v.voter),
     made as (
       insert into votes (client_id, review_id, voter, value)
       select $1, $2, $3 || '.' || extract(epoch from now())::bigint, $4::smallint where not exists (select from earlier)
       returning voter)
     select exists (select from changed) as is_changed, exists (select from made) as is_new`,
    [review.client_id, review.id, voter, value],
  );
  const isChanged = rows[0]?.is_changed;
  if (!isChanged && !rows[0]?.is_new) return;
  const change = (of: 1 | -1) => (value === of ? 1 : isChanged ? -1 : 0);
  await db.query(
    "update reviews set votes_up = votes_up + $3, votes_down = votes_down + $4 where client_id = $1 and id = $2",
    [review.client_id, review.id, change(1), change(-1)],
  );
}

async function saveReport(
  db: PoolClient,
  review: FeedbackTarget,
  voter: string,
  feedback: FeedbackForm,
  language: string | null,
): Promise<void> {
  const comment = feedback.comment || null;
  const email = feedback.email?.trim() || null;
  const emailColumns = [email, email && emailKey(email), email && language];
  const { rowCount } = await db.query(
    `update flags set comment = coalesce($4, comment), email = coalesce($5, email), email_key = coalesce($6, email_key),
            lang = coalesce($7, lang)
      where client_id = $1 and review_id = $2 and voter = $3 and resolved_at is null`,
    [review.client_id, review.id, voter, comment, ...emailColumns],
  );
  if (rowCount) return;
  await db.query(
    `insert into flags (client_id, id, review_id, voter, comment, email, email_key, lang)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [review.client_id, newId("flag"), review.id, voter, comment, ...emailColumns],
  );
  // The history has only the first open report: visitors can make any number of them.
  await db.query(
    `with counted as (
       update reviews set flag_count = flag_count + 1 where client_id = $1 and id = $2 returning flag_count)
     insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
     select $1, 'review', $2, 'visitor', 'reported' from counted where flag_count = 1`,
    [review.client_id, review.id],
  );
}
