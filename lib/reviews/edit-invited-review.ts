import { isDeepStrictEqual } from "node:util";
import type { PoolClient } from "pg";
import type { ClientRow } from "@/lib/clients/get-client";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { moderationDue } from "@/lib/moderation/moderation-due";
import { stateOf } from "@/lib/moderation/rules";
import { enqueue } from "@/lib/outbox/enqueue";
import { insertReviews, type NewReview } from "@/lib/reviews/insert-reviews";
import type { Inserted } from "@/lib/submissions/insert-submissions";
import { claimUploads } from "@/lib/uploads/claim-uploads";

/** What an edit replaces, and what the history keeps of it. */
const edited = ["author", "score", "title", "extract", "pros", "cons", "recommended", "answers", "lang"] as const;
type Existing = Pick<NewReview, "id" | "images" | (typeof edited)[number]> & { accepted: boolean | null };

/**
 * Stores the review that an invited customer writes of an item, or edits the one already written of it through the same
 * invitation: pending again, with the old text in the history. Images already of the review stay where the submission
 * names them again. The invitation's row is held meanwhile, so that of two submissions at once the second edits the
 * first. A submission that changes nothing is a `duplicate`. Throws `invalid_field` for images that cannot be claimed,
 * `not_found` where the person was erased meanwhile.
 */
export function editInvitedReview(
  client: Pick<ClientRow, "id" | "auto_moderate">,
  review: NewReview,
  tokens: string[],
): Promise<Inserted> {
  return transaction(async (db) => {
    const { rowCount } = await db.query("select from invitations where client_id = $1 and id = $2 for update", [
      client.id,
      review.invitation_id,
    ]);
    if (rowCount === 0) throw new AppError("not_found", "This link does not work any more.");
    const existing = await findExisting(db, review);
    if (!existing) await insertReviews(db, [review]);
    const id = existing?.id ?? review.id;
    const images = await claimUploads(db, client, tokens, { kind: "review", id }, existing?.images);
    const same =
      existing !== null &&
      edited.every((column) => isDeepStrictEqual(existing[column], review[column])) &&
      isDeepStrictEqual(existing.images, images);
    if (same) return { id, duplicate: true };
    if (existing) await edit(db, client, existing, review);
    if (existing || images.length > 0) {
      await db.query("update reviews set images = $3 where client_id = $1 and id = $2", [
        client.id,
        id,
        JSON.stringify(images),
      ]);
    }
    return { id, duplicate: false };
  });
}

async function findExisting(db: PoolClient, review: NewReview): Promise<Existing | null> {
  const { rows } = await db.query<Existing>(
    `select id, accepted, images, ${edited.join(", ")} from reviews
      where client_id = $1 and order_id = $2 and invitation_id = $3 and product_id is not distinct from $4
        and (product_id is not null or family_id is not distinct from $5) for update`,
    [review.client_id, review.order_id, review.invitation_id, review.product_id, review.family_id],
  );
  return rows[0] ?? null;
}

async function edit(
  db: PoolClient,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  existing: Existing,
  review: NewReview,
): Promise<void> {
  await db.query(
    `update reviews set ${edited.map((column, index) => `${column} = $${index + 3}`).join(", ")},
            accepted = null, accepted_at = null, reject_reason = null, decided_at = null
      where client_id = $1 and id = $2`,
    [
      client.id,
      existing.id,
      ...edited.map((column) => (column === "answers" ? JSON.stringify(review[column]) : review[column])),
    ],
  );
  const { author, score, title, extract, pros, cons } = existing;
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, texts)
     values ($1, 'review', $2, 'author', 'edited', $3, 'pending', $4)`,
    [client.id, existing.id, stateOf(existing.accepted), JSON.stringify({ author, score, title, extract, pros, cons })],
  );
  await enqueue(db, [
    { name: "review/submitted", data: { client_id: client.id, review_id: existing.id } },
    ...moderationDue(client, "review", [existing.id]),
  ]);
}
