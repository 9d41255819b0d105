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

/** Where an import looks for pictures. */
export type ImageSources = {
  /** the folder that lies beside a file of our own */
  folder?: string;
  /** whether those that other clients of this installation hold may be taken: for the operator, who sees them all */
  anywhere?: boolean;
  /** whether pictures that another service shows are fetched, under the guard against internal addresses */
  fetch?: boolean;
  network?: GuardedRequest["network"];
};

const AT_ONCE = 4;
const FETCH_MS = 60_000;

type ImportedImage = { row: number; place: number; image: StoredImage };

/**
 * Gets the pictures that rows name and their reviews do not hold yet, and stores them as uploads to be claimed. One of our
 * own is looked for in the folder, then (`anywhere`) among the uploads of this installation; another service's is fetched. All are
 * decoded; one of our own that is already as it would be stored stays as it is. With `dryRun` everything is done but the
 * storing. A picture that cannot be had is noted in the report; its review goes without it.
 */
export async function importImages(
  client: Pick<ClientRow, "id">,
  wanted: WantedImage[],
  sources: ImageSources,
  { dryRun = false, report }: { dryRun?: boolean; report: FeedReport },
): Promise<ImportedImage[]> {
  const kept: ImportedImage[] = [];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const group = wanted.slice(at, at + AT_ONCE);
    const images = await Promise.all(group.map((one) => one.held ?? importWanted(client, one, sources, dryRun)));
    for (const [index, { row, place }] of group.entries()) {
      const image = images[index]!;
      if (typeof image === "string") report.warn(row, "images", image);
      else kept.push({ row, place, image });
    }
  }
  return kept;
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
    const found = sources.anywhere ? await findUpload(client, token) : null;
    if (!found) return "missing";
    return dryRun ? found : copyUpload(client, found);
  }
  let image: ProcessedImage;
  try {
    image = await processImage(bytes, { keep: url === null });
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_field") return "unreadable";
    throw error;
  }
  return dryRun ? simulatedImage(token, image) : importImage(client, token, image);
}

/** What a stored image would be; its key stands for one that is not drawn yet. */
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
    // Refused by the guard, nobody there, too large: the review goes without it, and the report says so.
    if (error instanceof AppError) return null;
    throw error;
  }
}
