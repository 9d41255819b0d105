import { longTransaction } from "@/lib/platform/db/pool";
import { removeFolder } from "@/lib/platform/storage/files";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { selectUnusedKeys, tryLockPhotos } from "./sql";

/**
 * Deletes the files of photos that have no row: an import of a store writes files before it commits their rows, and may
 * have died in between. Returns "busy", and deletes nothing, while such an import runs.
 */
export const removeUnusedPhotos = (clientId: string, keys: readonly string[]): Promise<"done" | "busy"> =>
  longTransaction(async (db) => {
    if (!(await tryLockPhotos(db, clientId))) return "busy";
    for (const key of await selectUnusedKeys(db, keys)) await removeFolder(folderOf(key));
    return "done";
  });
