import type { Actor } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { stateOf } from "@/lib/moderation/rules";
import { enqueue } from "@/lib/outbox/enqueue";
import { releaseUploads } from "@/lib/uploads/claim-uploads";

/**
 * Deletes a review with all that hangs on it: votes, reports, replies, findings, mailed links, images (their addresses
 * are dead at once, clean-up removes the files). The history keeps who decided what, and loses the texts of edits, since
 * nothing would tie them to their author any more. Summaries follow by trigger, all in one transaction. Throws `not_found`.
 */
export async function deleteReview(actor: Actor, client: Pick<ClientRow, "id">, id: string): Promise<void> {
  await transaction(async (db) => {
    const { rows } = await db.query<{ accepted: boolean | null }>(
      "delete from reviews where client_id = $1 and id = $2 returning accepted",
      [client.id, id],
    );
    const review = rows[0];
    if (!review) throw new AppError("not_found", "There is no such review.");
    const of = [client.id, id];
    await db.query("delete from responses where client_id = $1 and kind = 'review' and subject_id = $2", of);
    await db.query("delete from moderation_findings where client_id = $1 and kind = 'review' and subject_id = $2", of);
    await db.query("delete from action_links where client_id = $1 and kind = 'review' and subject_id = $2", of);
    await releaseUploads(db, client, { kind: "review", id });
    await db.query("set local candor.erasing = 'on'");
    await db.query(
      `update moderation_events set texts = null
        where client_id = $1 and kind = 'review' and subject_id = $2 and texts is not null`,
      of,
    );
    await db.query("set local candor.erasing = 'off'");
    await db.query(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state)
       values ($1, 'review', $2, $3, $4, 'deleted', $5)`,
      [...of, actor.kind, actor.id, stateOf(review.accepted)],
    );
    await enqueue(db, [{ name: "review/deleted", data: { client_id: client.id, review_id: id } }]);
  });
}
