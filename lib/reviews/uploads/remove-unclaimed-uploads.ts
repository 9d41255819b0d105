import { pool, transaction } from "@/lib/platform/db/pool";
import { BATCH_SIZE, type DeletionResult, deleteInBatches } from "@/lib/platform/storage/delete-in-batches";
import { removeFolder } from "@/lib/platform/storage/files";
import { eraseHistory } from "@/lib/reviews/decisions/erase-history";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { type AbandonedUpload, deleteUpload, selectAbandoned } from "./sql";

/**
 * Deletes a batch of uploads, of one client if given, that weren't claimed within 24 hours or were removed from their texts,
 * continuing after `cursor`. Files first, so that after a crash the row remains and the next night retries it. Uploads of that
 * age can't be claimed.
 */
export const removeUnclaimedUploads = (
  cursor: string | null = null,
  clientId: string | null = null,
): Promise<DeletionResult> =>
  deleteInBatches<AbandonedUpload>(
    (last) => selectAbandoned(pool(), BATCH_SIZE, last, clientId),
    async ({ client_id, token, key }) => {
      await removeFolder(folderOf(key));
      await transaction(async (db) => {
        await eraseHistory(db, client_id, "photo", [token]);
        await deleteUpload(db, client_id, token);
      });
    },
    cursor,
  );
