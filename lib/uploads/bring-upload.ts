import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { newUploadToken } from "@/lib/ids";
import { readFile, removeFolder, writeFile } from "@/lib/storage/files";
import { fileName, folderOf, storedFiles } from "@/lib/uploads/image-objects";
import type { ProcessedImage } from "@/lib/uploads/process-image";
import type { StoredImage } from "@/lib/uploads/schema";
import { storeImage } from "@/lib/uploads/store-upload";
import { deleteUpload, insertUpload, selectUpload } from "./sql";

/** Whether something holds an upload of this token already. */
export const isClaimed = async (client: Pick<ClientRow, "id">, token: string): Promise<boolean> =>
  (await selectUpload(pool(), client.id, token))?.claimed ?? false;

/**
 * Stores an image under a token that it had elsewhere, to be claimed like any upload. What an earlier try that was killed
 * left of it goes first. The token must not be claimed.
 */
export async function bringUpload(
  client: Pick<ClientRow, "id">,
  token: string,
  image: ProcessedImage,
): Promise<StoredImage> {
  await discard(client, token);
  return storeImage(client, token, image);
}

/** An upload of this token that the installation holds, whoever's it is; null where there is none, or its files are lost. */
export async function findUpload(client: Pick<ClientRow, "id">, token: string): Promise<StoredImage | null> {
  const found = await selectUpload(pool(), client.id, token, { anywhere: true });
  if (!found) return null;
  const { key, format, width, height, sizes } = found;
  const files = await Promise.all(storedFiles.map((name) => readFile(`${folderOf(key)}/${fileName(name, format)}`)));
  return files.every((bytes) => bytes !== null) ? { token, key, format, width, height, sizes } : null;
}

/** Copies an upload to a client, file by file, under a secret of its own. */
export async function copyUpload(client: Pick<ClientRow, "id">, image: StoredImage): Promise<StoredImage> {
  await discard(client, image.token);
  const copy: StoredImage = { ...image, key: newUploadToken() };
  const files: [name: string, bytes: Uint8Array][] = [];
  for (const name of storedFiles) {
    const file = fileName(name, image.format);
    const bytes = await readFile(`${folderOf(image.key)}/${file}`);
    if (bytes === null) throw new Error(`The files of the upload ${image.token} are gone.`);
    files.push([file, bytes]);
  }
  await insertUpload(pool(), client.id, copy, files[0]![1].length);
  for (const [file, bytes] of files) await writeFile(`${folderOf(copy.key)}/${file}`, bytes);
  return copy;
}

async function discard(client: Pick<ClientRow, "id">, token: string): Promise<void> {
  const left = await selectUpload(pool(), client.id, token);
  if (!left || left.claimed) return;
  await removeFolder(folderOf(left.key));
  await deleteUpload(pool(), client.id, token);
}
