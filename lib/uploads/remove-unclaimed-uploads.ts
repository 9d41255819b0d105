import { pool } from "@/lib/db/pool";
import { removeFolder } from "@/lib/storage/files";
import { folderOf } from "@/lib/uploads/image-objects";
import { type AbandonedUpload, deleteUpload, selectAbandoned } from "./sql";

const BATCH = 100;

/**
 * Removes uploads that nothing claimed within 24 hours, files first: a crash in between leaves the row, and the next
 * pass goes on from there. No claim can come in between, since none takes an upload of that age. What cannot be removed
 * holds up nothing else; when all others are gone, the first such fault is thrown. Answers how many went.
 */
export async function removeUnclaimedUploads(): Promise<number> {
  let removed = 0;
  let left: { error: unknown } | null = null;
  let after: AbandonedUpload | null = null;
  for (;;) {
    const batch: AbandonedUpload[] = await selectAbandoned(pool(), BATCH, after);
    for (const { client_id, token, key } of batch) {
      try {
        await removeFolder(folderOf(key));
        await deleteUpload(pool(), client_id, token);
        removed += 1;
      } catch (error) {
        left ??= { error };
      }
    }
    after = batch.at(-1) ?? null;
    if (batch.length < BATCH) break;
  }
  if (left) throw left.error;
  return removed;
}
