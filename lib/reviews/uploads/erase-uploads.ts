import { type Db, pool } from "@/lib/platform/db/pool";
import { removeFolder } from "@/lib/platform/storage/files";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { deleteErased, reassignRows, selectErased } from "./sql";

/**
 * Puts the images of submissions that are being erased aside for an erasure, in the caller's transaction: their addresses
 * are dead when it commits, and {@link removeErasedFiles} finds them, also after a crash. Answers how many.
 */
export const eraseUploads = (
  db: Db,
  clientId: string,
  kind: UploadSubject["kind"],
  ids: string[],
  erasureId: string,
): Promise<number> => reassignRows(db, clientId, kind, ids, erasureId);

/**
 * Removes up to `most` images that were put aside for an erasure, files first: a crash in between leaves the row, and the
 * next call goes on from there. Answers how many went; fewer than `most` means that none is left.
 */
export async function removeErasedFiles(clientId: string, erasureId: string, limit: number): Promise<number> {
  const images = await selectErased(pool(), clientId, erasureId, limit);
  for (const { token, key } of images) {
    await removeFolder(folderOf(key));
    await deleteErased(pool(), clientId, erasureId, token);
  }
  return images.length;
}

/** Whether images put aside for an erasure are still there. */
export const hasErasedFiles = async (db: Db, clientId: string, erasureId: string): Promise<boolean> =>
  (await selectErased(db, clientId, erasureId, 1)).length > 0;
