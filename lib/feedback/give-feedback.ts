import { createHmac, createSecretKey } from "node:crypto";
import type { PoolClient } from "pg";
import { refuseForeignOrigin } from "@/lib/auth/resolve-client";
import { transaction } from "@/lib/db/pool";
import { perProcess } from "@/lib/db/process";
import { secretKey } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { FeedbackForm } from "@/lib/feedback/schema";
import { networkOf } from "@/lib/http/address";
import { newId } from "@/lib/ids";

type Target = { client_id: string; id: string; allowed_origins: string[] };
/** Who says it: the network address, and the origin of the page where a browser tells one. */
type Sender = { address: string; origin: string | null };

/**
 * Counts a visitor's vote on an accepted review, or keeps a report of it. One vote for each voter: a later one of the
 * same `voter_id` replaces it, `reset` takes it back; without a `voter_id` one counts for each network address in 24
 * hours and later ones of these are ignored. A second report of the same voter rewords the first while it is open.
 * Throws `not_found` for a token that names no displayed review, `forbidden` for an origin that the client does not list.
 */
export async function giveFeedback(token: string, feedback: FeedbackForm, sender: Sender): Promise<undefined> {
  await transaction(async (db) => {
    // The row is held, so that votes on one review come one after the other.
    const { rows } = await db.query<Target>(
      `select r.client_id, r.id, c.allowed_origins from reviews r join clients c on c.id = r.client_id
        where r.feedback_token = $1 and r.accepted for update of r`,
      [token],
    );
    const review = rows[0];
    if (!review) throw new AppError("not_found", "There is no such review.");
    refuseForeignOrigin(review, sender.origin);
    const voter = voterOf(review, feedback.voter_id, sender.address);
    if (feedback.type === "bad") return report(db, review, voter, feedback.comment || null);
    if (feedback.type === "reset") return takeBack(db, review, voter);
    const value = feedback.type === "up" ? 1 : -1;
    if (feedback.voter_id) return vote(db, review, voter, value);
    return voteOnceADay(db, review, voter, value);
  });
  return undefined;
}

/** Keyed, since an address or a shop's visitor id tells who somebody is; another one for each review. */
function voterOf({ client_id, id }: Target, voterId: string | undefined, address: string): string {
  const key = perProcess("voter-key", () => createSecretKey(secretKey("voter/1")));
  const voter = voterId ? ["voter", voterId] : ["address", networkOf(address)];
  return createHmac("sha256", key)
    .update(JSON.stringify([client_id, id, ...voter]))
    .digest("base64url")
    .slice(0, 32);
}

async function vote(db: PoolClient, review: Target, voter: string, value: 1 | -1): Promise<void> {
  await takeBack(db, review, voter, value);
  const { rowCount } = await db.query(
    "insert into votes (client_id, review_id, voter, value) values ($1, $2, $3, $4) on conflict do nothing",
    [review.client_id, review.id, voter, value],
  );
  if (rowCount) await count(db, review, value, 1);
}

/** Votes of an address keep their second in the key: tomorrow's is another one, and counts as well. */
async function voteOnceADay(db: PoolClient, review: Target, voter: string, value: 1 | -1): Promise<void> {
  const { rowCount } = await db.query(
    `insert into votes (client_id, review_id, voter, value)
     select $1, $2, $3 || '.' || extract(epoch from now())::bigint, $4::smallint
      where not exists (select from votes where client_id = $1 and review_id = $2 and voter >= $3 || '.' and voter < $3 || '/'
                           and created_at > now() - interval '24 hours')`,
    [review.client_id, review.id, voter, value],
  );
  if (rowCount) await count(db, review, value, 1);
}

/** Removes the voter's vote, unless it is the one to `keep`. */
async function takeBack(db: PoolClient, review: Target, voter: string, keep: 1 | -1 | null = null): Promise<void> {
  const { rows } = await db.query<{ value: 1 | -1 }>(
    `delete from votes where client_id = $1 and review_id = $2 and voter = $3 and value is distinct from $4::smallint
     returning value`,
    [review.client_id, review.id, voter, keep],
  );
  for (const { value } of rows) await count(db, review, value, -1);
}

async function count(db: PoolClient, review: Target, value: 1 | -1, change: 1 | -1): Promise<void> {
  const column = value === 1 ? "votes_up" : "votes_down";
  await db.query(`update reviews set ${column} = ${column} + $3 where client_id = $1 and id = $2`, [
    review.client_id,
    review.id,
    change,
  ]);
}

async function report(db: PoolClient, review: Target, voter: string, comment: string | null): Promise<void> {
  const { rowCount } = await db.query(
    `update flags set comment = coalesce($4, comment)
      where client_id = $1 and review_id = $2 and voter = $3 and resolved_at is null`,
    [review.client_id, review.id, voter, comment],
  );
  if (rowCount) return;
  await db.query("insert into flags (client_id, id, review_id, voter, comment) values ($1, $2, $3, $4, $5)", [
    review.client_id,
    newId("flag"),
    review.id,
    voter,
    comment,
  ]);
  await db.query("update reviews set flag_count = flag_count + 1 where client_id = $1 and id = $2", [
    review.client_id,
    review.id,
  ]);
}
