import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";

/**
 * Closes the reports of a review after a person checked it: it leaves the list of reported reviews, and its history
 * records who closed them. Who gave an address is notified. Closing none changes nothing. Throws `not_found`.
 */
export async function closeReports(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  id: string,
): Promise<undefined> {
  await transaction(async (db) => {
    // Locks the review first, as reporting does.
    const locked = await db.query("select from reviews where client_id = $1 and id = $2 for update", [client.id, id]);
    if (locked.rowCount === 0) throw new AppError("not_found", { reason: "review_not_found" });
    const closed = await db.query(
      "update flags set resolved_at = now() where client_id = $1 and review_id = $2 and resolved_at is null",
      [client.id, id],
    );
    if (closed.rowCount === 0) return;
    await db.query("update reviews set flag_count = 0 where client_id = $1 and id = $2", [client.id, id]);
    await db.query(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action)
       values ($1, 'review', $2, $3, $4, 'reports_closed')`,
      [client.id, id, actor.kind, actor.id],
    );
    await enqueue(db, [{ name: "review/reports_closed", data: { client_id: client.id, review_id: id } }]);
  });
  return undefined;
}
