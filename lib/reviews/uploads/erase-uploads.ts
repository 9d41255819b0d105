import { type Db, pool } from "@/lib/platform/db/pool";
import { removeFolder } from "@/lib/platform/storage/files";
import { erasePhotoHistory } from "@/lib/reviews/decisions/erase-history";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { deleteErased, reassignRows, selectErased } from "./sql";

/**
 * Assigns images of erased submissions to an erasure, in the caller's transaction: their URLs stop working when it
 * commits, and {@link removeErasedFiles} finds them, even after a crash. Returns their number.
 */
export async function eraseUploads(
  db: Db,
  clientId: string,
  kind: UploadSubject["kind"],
  ids: string[],
  erasureId: string,
): Promise<number> {
  await erasePhotoHistory(db, clientId, kind, ids);
  return reassignRows(db, clientId, kind, ids, erasureId);
}

/**
 * Deletes up to `limit` images of an erasure, files first, so after a crash the row remains and the next call
 * continues. Returns the number deleted; fewer than `limit` means that none are left.
 */
export async function removeErasedFiles(clientId: string, erasureId: string, limit: number): Promise<number> {
  const images = await selectErased(pool(), clientId, erasureId, limit);
  for (const { token, key } of images) {
    await removeFolder(folderOf(key));
    await deleteErased(pool(), clientId, erasureId, token);
  }
  return images.length;
}

/** True if images of an erasure are left. */
export const hasErasedFiles = async (db: Db, clientId: string, erasureId: string): Promise<boolean> =>
  (await selectErased(db, clientId, erasureId, 1)).length > 0;
