import type { PoolClient } from "pg";
import type { Actor } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import type { RawJson } from "@/lib/http/reply";
import { decide } from "@/lib/moderation/rules";
import { writeDecisions } from "@/lib/moderation/write-decisions";
import { getReview } from "@/lib/reviews/get-review";
import type { ReviewUpdate } from "@/lib/reviews/schema";

type State = { accepted: boolean | null; reject_reason: string | null };

/**
 * Moves a review to accepted, rejected or pending, whatever it was. The row, its history entry, the summaries (by
 * trigger) and the outbox fact commit together; asking for the state it has already changes nothing. Answers the review.
 * Throws `not_found`; `invalid_field` for a reason on a review that is not rejected.
 */
export async function moderateReview(
  actor: Actor,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  id: string,
  change: Pick<ReviewUpdate["review"], "accepted" | "reject_reason" | "notify">,
): Promise<RawJson> {
  return transaction(async (db) => {
    const { rows } = await db.query<State>(
      "select accepted, reject_reason from reviews where client_id = $1 and id = $2 for update",
      [client.id, id],
    );
    const current = rows[0];
    if (!current) throw new AppError("not_found", "There is no such review.");
    const next = decide(current, change);
    if (next) await writeDecision(db, actor, client, { id, ...current }, next, change.notify ?? false);
    return getReview(actor, client, id, db);
  });
}

/**
 * Writes a decision on a review whose row the caller's transaction holds; see lib/moderation/write-decisions.ts.
 * `review` is the state it had.
 */
export async function writeDecision(
  db: PoolClient,
  actor: Actor,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  review: State & { id: string },
  next: State,
  notify: boolean,
): Promise<void> {
  const { id, accepted: from } = review;
  const decision = { id, from, accepted: next.accepted, reason: next.reject_reason, actor, notify };
  await writeDecisions(db, client, "review", [decision]);
}
