import { pool } from "@/lib/db/pool";
import { removeFolder } from "@/lib/storage/files";
import { folderOf } from "@/lib/uploads/image-objects";
import { deleteUpload, selectAbandoned } from "./sql";

const BATCH = 100;

/**
 * Removes uploads that nothing claimed within 24 hours, files first: a crash in between leaves the row, and the next
 * pass goes on from there. No claim can come in between, since none takes an upload of that age. Answers how many went.
 */
export async function removeUnclaimedUploads(): Promise<number> {
  let removed = 0;
  for (;;) {
    const batch = await selectAbandoned(pool(), BATCH);
    for (const { client_id, token, key } of batch) {
      await removeFolder(folderOf(key));
      await deleteUpload(pool(), client_id, token);
    }
    removed += batch.length;
    if (batch.length < BATCH) return removed;
  }
}
