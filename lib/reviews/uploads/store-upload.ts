import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { newUploadToken } from "@/lib/platform/ids";
import { writeFile } from "@/lib/platform/storage/files";
import { fileName, folderOf, storedFiles } from "@/lib/reviews/uploads/image-objects";
import { type ProcessedImage, processImage } from "@/lib/reviews/uploads/process-image";
import { MAX_IMAGE_BYTES, type StoredImage, type UploadResult } from "@/lib/reviews/uploads/schema";
import { insertUpload } from "./sql";

/**
 * Stores an image for a later submission and returns its token. The row is written before the files, so that no file is
 * ever untracked: a crash leaves an unclaimed upload, which is cleaned up like others. Throws `too_large` over 10 MiB,
 * `invalid_field` on `file` if it isn't a readable image of an accepted type.
 */
export async function storeUpload(client: Pick<ClientRow, "id">, file: Blob): Promise<UploadResult> {
  if (file.size > MAX_IMAGE_BYTES)
    throw new AppError("too_large", { reason: "image_too_large", params: { mib: 10 }, field: "file" });
  const image = await processImage(new Uint8Array(await file.arrayBuffer()));
  const { token, format, width, height } = await storeImage(client, newUploadToken(), image);
  return { token, format, width, height };
}

/** Stores a processed image as an unclaimed upload with this token, which must be unused. */
export async function storeImage(
  client: Pick<ClientRow, "id">,
  token: string,
  image: ProcessedImage,
): Promise<StoredImage> {
  const { format, original } = image;
  const size = ({ width, height }: { width: number; height: number }): [number, number] => [width, height];
  const upload: StoredImage = {
    token,
    key: newUploadToken(),
    format,
    width: original.width,
    height: original.height,
    sizes: { icon: size(image.icon), medium: size(image.medium), large: size(image.large) },
  };
  await insertUpload(pool(), client.id, upload, original.bytes.length);
  await Promise.all(
    storedFiles.map((name) => writeFile(`${folderOf(upload.key)}/${fileName(name, format)}`, image[name].bytes)),
  );
  return upload;
}
