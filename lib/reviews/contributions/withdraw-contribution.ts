import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import type { OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import { deleteDependents } from "@/lib/reviews/contributions/delete-dependents";
import { eraseHistory } from "@/lib/reviews/decisions/erase-history";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";
import { releaseUploadsOf } from "@/lib/reviews/uploads/claim-uploads";
import { mailReportersOfDeleted } from "@/lib/reviews/votes/mail-report-outcomes";

/**
 * Deletes a review, seller review or question on its author's wish, with its dependents, as `deleteReview` does. Only
 * while it has the author's normalized address. Returns false if there is none such, also for a repeated call.
 */
export const withdrawContribution = (
  client: Pick<ClientRow, "id">,
  kind: ModeratedKind,
  id: string,
  email: string,
): Promise<boolean> =>
  transaction(async (db) => {
    const held = await db.query(
      `select from ${tables[kind]} where client_id = $1 and id = $2 and email_key = $3 for update`,
      [client.id, id, email],
    );
    if (held.rowCount === 0) return false;
    if (kind === "review") await mailReportersOfDeleted(db, client.id, id);
    if (kind === "question") {
      const { rows: answers } = await db.query<{ id: string }>(
        "select id from answers where client_id = $1 and question_id = $2 order by id",
        [client.id, id],
      );
      const answerIds = answers.map((answer) => answer.id);
      await eraseHistory(db, client.id, "answer", answerIds);
    }
    const { rows } = await db.query<{ id: string; accepted: boolean | null; created_at: Date }>(
      `delete from ${tables[kind]} where client_id = $1 and id = $2 returning id, accepted, created_at`,
      [client.id, id],
    );
    await releaseUploadsOf(db, client, kind, [id]);
    await deleteDependents(db, client.id, kind, rows, { action: "deleted", actor: { kind: "author", id: null } });
    const event = { name: `${kind}/deleted`, data: { client_id: client.id, [`${kind}_id`]: id } };
    await enqueue(db, [event as OutboxEvent]);
    return true;
  });
