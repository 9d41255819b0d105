import type { Actor } from "@/lib/accounts/actor";
import type { Db } from "@/lib/platform/db/pool";
import { eraseHistory } from "@/lib/reviews/decisions/erase-history";
import { stateOf } from "@/lib/reviews/decisions/rules";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";

/**
 * Deletes dependents of contributions that the caller's transaction deleted, as far as no foreign key or trigger does:
 * replies, emailed links, fingerprints for duplicate detection, and texts in the history. The last entry of their history
 * says how they ended. Delete the rows first, or each deleted reply updates their counters.
 */
export async function deleteDependents(
  db: Db,
  clientId: string,
  kind: UploadSubject["kind"],
  deleted: { id: string; accepted: boolean | null; created_at: Date }[],
  ending: { action: "deleted" | "erased"; actor: { kind: Actor["kind"] | "author"; id: string | null } },
): Promise<void> {
  const ids = deleted.map(({ id }) => id);
  const of = [clientId, kind, ids];
  await db.query("delete from responses where client_id = $1 and kind = $2 and subject_id = any($3)", of);
  await db.query("delete from action_links where client_id = $1 and kind = $2 and subject_id = any($3)", of);
  // Matches by time: fingerprints are written with their rows, and an index by row would slow down every submission.
  await db.query(
    `delete from submissions s using unnest($2::text[], $3::timestamptz[]) as g(id, at)
      where s.client_id = $1 and s.subject_id = g.id and s.created_at between g.at - interval '1 s' and g.at + interval '1 s'`,
    [clientId, ids, deleted.map(({ created_at }) => created_at)],
  );
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state)
     select $1, $2, id, $5, $6, $7, state from unnest($3::text[], $4::text[]) as g(id, state) order by id`,
    [
      clientId,
      kind,
      ids,
      deleted.map(({ accepted }) => stateOf(accepted)),
      ending.actor.kind,
      ending.actor.id,
      ending.action,
    ],
  );
  await eraseHistory(db, clientId, kind, ids);
}
