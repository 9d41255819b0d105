import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { newUploadToken } from "@/lib/platform/ids";
import { readFile, removeFolder, writeFile } from "@/lib/platform/storage/files";
import { fileName, folderOf, storedFiles } from "@/lib/reviews/uploads/image-objects";
import type { ProcessedImage } from "@/lib/reviews/uploads/process-image";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { storeImage } from "@/lib/reviews/uploads/store-upload";
import { deleteUpload, insertUpload, selectUpload, selectUploads } from "./sql";

/** True if an upload with this token is already claimed. */
export const isClaimed = async (client: Pick<ClientRow, "id">, token: string): Promise<boolean> =>
  (await selectUpload(pool(), client.id, token))?.claimed ?? false;

/**
 * Stores an image under its original token as an unclaimed upload. First deletes what an earlier, killed attempt left.
 * The token must not be claimed.
 */
export async function importImage(
  client: Pick<ClientRow, "id">,
  token: string,
  image: ProcessedImage,
): Promise<StoredImage> {
  await discardUnclaimed(client, token);
  return storeImage(client, token, image);
}

/**
 * An upload with this token in this installation, of any client; null if there is none with all its files. Files may be
 * missing because a process died while copying, or were lost.
 */
export async function findUpload(client: Pick<ClientRow, "id">, token: string): Promise<StoredImage | null> {
  for (const { key, format, width, height, sizes } of await selectUploads(pool(), client.id, token)) {
    const image: StoredImage = { token, key, format, width, height, sizes };
    if ((await filesOf(image)) !== null) return image;
  }
  return null;
}

/** Copies an upload to a client, file by file, with a new secret key. It may be what an earlier attempt left there. */
export async function copyUpload(client: Pick<ClientRow, "id">, image: StoredImage): Promise<StoredImage> {
  const files = await filesOf(image);
  if (files === null) throw new Error(`The files of upload ${image.token} no longer exist.`);
  await discardUnclaimed(client, image.token);
  const copy: StoredImage = { ...image, key: newUploadToken() };
  await insertUpload(pool(), client.id, copy, files[0]?.bytes.length ?? 0);
  for (const { name, bytes } of files) await writeFile(`${folderOf(copy.key)}/${name}`, bytes);
  return copy;
}

/** All stored files of an image, the original first; null if one is missing. */
async function filesOf({ key, format }: StoredImage): Promise<{ name: string; bytes: Uint8Array }[] | null> {
  const files: { name: string; bytes: Uint8Array }[] = [];
  for (const size of storedFiles) {
    const name = fileName(size, format);
    const bytes = await readFile(`${folderOf(key)}/${name}`);
    if (bytes === null) return null;
    files.push({ name, bytes });
  }
  return files;
}

async function discardUnclaimed(client: Pick<ClientRow, "id">, token: string): Promise<void> {
  const left = await selectUpload(pool(), client.id, token);
  if (!left || left.claimed) return;
  await removeFolder(folderOf(left.key));
  await deleteUpload(pool(), client.id, token);
}
