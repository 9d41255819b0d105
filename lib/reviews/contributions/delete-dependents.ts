import type { Db } from "@/lib/platform/db/pool";
import { eraseHistory } from "@/lib/reviews/decisions/erase-history";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";

/**
 * Removes what hangs on contributions that were deleted in the caller's transaction, and that no foreign key takes along:
 * replies, mailed links, the fingerprints by which a repeated submission is known, and people's words in the history.
 * (Findings and prints go by trigger.) Delete the rows first: replies would else be counted out of them one by one.
 */
export async function deleteDependents(
  db: Db,
  clientId: string,
  kind: UploadSubject["kind"],
  deleted: { id: string; created_at: Date }[],
): Promise<void> {
  const ids = deleted.map(({ id }) => id);
  const of = [clientId, kind, ids];
  await db.query("delete from responses where client_id = $1 and kind = $2 and subject_id = any($3)", of);
  await db.query("delete from action_links where client_id = $1 and kind = $2 and subject_id = any($3)", of);
  // A fingerprint is written with its row, and has no index of the rows, which every submission would pay for.
  await db.query(
    `delete from submissions s using unnest($2::text[], $3::timestamptz[]) as g(id, at)
      where s.client_id = $1 and s.subject_id = g.id and s.created_at between g.at - interval '1 s' and g.at + interval '1 s'`,
    [clientId, ids, deleted.map(({ created_at }) => created_at)],
  );
  await eraseHistory(db, clientId, kind, ids);
}
