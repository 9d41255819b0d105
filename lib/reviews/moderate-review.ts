import type { PoolClient } from "pg";
import type { Actor } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import type { RawJson } from "@/lib/http/reply";
import { moderationDue } from "@/lib/moderation/moderation-due";
import { decide, stateOf } from "@/lib/moderation/rules";
import { enqueue } from "@/lib/outbox/enqueue";
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
 * Writes a decision on a review whose row the caller's transaction holds, with its history entry and its outbox facts.
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
  const [from, to] = [stateOf(review.accepted), stateOf(next.accepted)];
  await db.query(
    `update reviews set accepted = $3, reject_reason = $4, decided_at = now(),
            accepted_at = case when $3 then coalesce(accepted_at, now()) end
      where client_id = $1 and id = $2`,
    [client.id, review.id, next.accepted, next.reject_reason],
  );
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state, to_state, reason)
     values ($1, 'review', $2, $3, $4, 'decided', $5, $6, $7)`,
    [client.id, review.id, actor.kind, actor.id, from, to, next.reject_reason],
  );
  await enqueue(db, [
    { name: "review/decided", data: { client_id: client.id, review_id: review.id, from, to, notify } },
    // What a person takes back waits for a person; the API hands it to the client's moderation.
    ...(next.accepted === null && actor.kind !== "user" ? moderationDue(client, "review", [review.id]) : []),
  ]);
}
