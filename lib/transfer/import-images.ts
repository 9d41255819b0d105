import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { AppError } from "@/lib/platform/errors";
import { type GuardedRequest, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import { newUploadToken } from "@/lib/platform/ids";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { copyUpload, findUpload, importImage, isClaimed } from "@/lib/reviews/uploads/import-image";
import { type ProcessedImage, processImage } from "@/lib/reviews/uploads/process-image";
import { imageEndings, MAX_IMAGE_BYTES, type StoredImage } from "@/lib/reviews/uploads/schema";
import type { WantedImage } from "./sql";

/** Where an import looks for images. */
export type ImageSources = {
  /** The folder beside a file of our own. */
  folder?: string;
  /** Allow images of other clients of this installation; only for the operator, who has access to all of them. */
  fromAnyClient?: boolean;
  /** Fetch images from URLs of other services, with SSRF protection. */
  fetch?: boolean;
  network?: GuardedRequest["network"];
};

const CONCURRENCY = 4;
const FETCH_MS = 60_000;

type ImportedImage = { row: number; place: number; image: StoredImage };

/**
 * Stores images that rows name and their reviews don't have yet as unclaimed uploads. Our own images are read from the
 * folder, then (`anywhere`) from this installation's uploads; those of other services are fetched. All are decoded; our
 * own are kept byte for byte if already in the stored format. `dryRun` does everything except storing. A missing image
 * is reported, and its review is imported without it.
 */
export async function importImages(
  client: Pick<ClientRow, "id">,
  wanted: WantedImage[],
  sources: ImageSources,
  { dryRun = false, report }: { dryRun?: boolean; report: FeedReport },
): Promise<ImportedImage[]> {
  const imported: ImportedImage[] = [];
  for (let at = 0; at < wanted.length; at += CONCURRENCY) {
    const group = wanted.slice(at, at + CONCURRENCY);
    const images = await Promise.all(group.map((one) => one.held ?? importWanted(client, one, sources, dryRun)));
    for (const [index, { row, place }] of group.entries()) {
      const image = images[index]!;
      if (typeof image === "string") report.warn(row, "images", image);
      else imported.push({ row, place, image });
    }
  }
  return imported;
}

async function importWanted(
  client: Pick<ClientRow, "id">,
  { token, url }: WantedImage,
  sources: ImageSources,
  dryRun: boolean,
): Promise<StoredImage | "taken" | "missing" | "unreadable" | "not_fetched"> {
  if (await isClaimed(client, token)) return "taken";
  const bytes = url === null ? await fromFolder(sources.folder, token) : await fetched(url, sources.network);
  if (bytes === null && url !== null) return "not_fetched";
  if (bytes === null) {
    const found = sources.fromAnyClient ? await findUpload(client, token) : null;
    if (!found) return "missing";
    return dryRun ? found : copyUpload(client, found);
  }
  let image: ProcessedImage;
  try {
    image = await processImage(bytes, { keepOriginal: url === null });
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_field") return "unreadable";
    throw error;
  }
  return dryRun ? simulatedImage(token, image) : importImage(client, token, image);
}

/** The image as it would be stored; its key is a placeholder. */
const simulatedImage = (token: string, { format, original, icon, medium, large }: ProcessedImage): StoredImage => ({
  token,
  key: newUploadToken(),
  format,
  width: original.width,
  height: original.height,
  sizes: {
    icon: [icon.width, icon.height],
    medium: [medium.width, medium.height],
    large: [large.width, large.height],
  },
});

async function fromFolder(folder: string | undefined, token: string): Promise<Uint8Array | null> {
  if (folder === undefined) return null;
  for (const ending of Object.values(imageEndings)) {
    try {
      return await readFile(path.join(folder, `${token}.${ending}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return null;
}

async function fetched(url: string, network: ImageSources["network"]): Promise<Uint8Array | null> {
  try {
    const answer = await guardedFetch(url, { maxBytes: MAX_IMAGE_BYTES, timeout: FETCH_MS, network });
    if (answer.status !== 200) {
      answer.body.destroy();
      return null;
    }
    return Buffer.concat(await Array.fromAsync(answer.body));
  } catch (error) {
    // Blocked, unreachable or too large: the review is imported without it, and the report says so.
    if (error instanceof AppError) return null;
    throw error;
  }
}
