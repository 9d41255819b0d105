import { pool } from "@/lib/platform/db/pool";
import { BATCH_SIZE, deleteInBatches, type Pass } from "@/lib/platform/storage/delete-in-batches";
import { removeFolder } from "@/lib/platform/storage/files";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { type AbandonedUpload, deleteUpload, selectAbandoned } from "./sql";

/**
 * A pass that removes uploads that nothing claimed within 24 hours, behind the place where the last one ended. Files first: a
 * crash in between leaves the row, and the next night goes on from there. No claim can come in between, since none takes an
 * upload of that age.
 */
export const removeUnclaimedUploads = (behind: string | null = null): Promise<Pass> =>
  deleteInBatches<AbandonedUpload>(
    (last) => selectAbandoned(pool(), BATCH_SIZE, last),
    async ({ client_id, token, key }) => {
      await removeFolder(folderOf(key));
      await deleteUpload(pool(), client_id, token);
    },
    behind,
  );
