import type { Db } from "@/lib/db/pool";
import { eraseHistory } from "@/lib/moderation/erase-history";
import type { UploadSubject } from "@/lib/uploads/claim-uploads";

/**
 * Removes what hangs on contributions that were deleted in the caller's transaction, and that no foreign key takes along:
 * replies, mailed links, the fingerprints by which a repeated submission is known, and people's words in the history.
 * (Findings and prints go by trigger.) Delete the rows first: replies would else be counted out of them one by one.
 */
export async function removeBelongings(
  db: Db,
  clientId: string,
  kind: UploadSubject["kind"],
  ids: string[],
): Promise<void> {
  const of = [clientId, kind, ids];
  await db.query("delete from responses where client_id = $1 and kind = $2 and subject_id = any($3)", of);
  await db.query("delete from action_links where client_id = $1 and kind = $2 and subject_id = any($3)", of);
  await db.query("delete from submissions where client_id = $1 and subject_id = any($2)", [clientId, ids]);
  await eraseHistory(db, clientId, kind, ids);
}
