import { setTimeout as sleep } from "node:timers/promises";
import type { ArchiveWriter } from "@/lib/backup/archive";
import type { FilesContent } from "@/lib/backup/manifest";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { readFile, writeFile } from "@/lib/platform/storage/files";
import { fileName, folderOf, storedFiles } from "@/lib/reviews/uploads/image-objects";
import type { StoredPhoto } from "./sql";

/** Files are read and written concurrently, since a remote store has a high latency. */
const CONCURRENCY = 8;

/** Keys of a photo's files in the file store. */
export const photoKeys = ({ key, format }: Pick<StoredPhoto, "key" | "format">): string[] =>
  storedFiles.map((name) => `${folderOf(key)}/${fileName(name, format)}`);

/** Adds a file to an archive and counts it. */
export async function addFile<M>(
  archive: ArchiveWriter<M>,
  files: FilesContent,
  key: string,
  bytes: Uint8Array,
): Promise<void> {
  await archive.add(`files/${key}`, Buffer.from(bytes));
  files.count += 1;
  files.bytes += bytes.length;
}

/**
 * Adds the files of photos, which `next` returns page by page. Returns how many photos were deleted after the snapshot;
 * files that are missing otherwise are listed in `files.missing`.
 */
export async function addPhotos<M>(
  archive: ArchiveWriter<M>,
  files: FilesContent,
  next: (last: StoredPhoto | null) => Promise<StoredPhoto[]>,
  onProgress: () => void,
): Promise<{ deleted: number }> {
  let deleted = 0;
  for (let page = await next(null); page.length > 0; page = await next(page.at(-1)!)) {
    for (let first = 0; first < page.length; first += CONCURRENCY / storedFiles.length) {
      const photos = page.slice(first, first + CONCURRENCY / storedFiles.length);
      for (const { photo, contents } of await Promise.all(photos.map(readPhoto))) {
        const missing = contents.filter(({ bytes }) => bytes === null);
        for (const { key, bytes } of contents) if (bytes) await addFile(archive, files, key, bytes);
        if (missing.length === 0) continue;
        if (await uploadExists(photo)) files.missing.push(...missing.map(({ key }) => key));
        else deleted += 1;
      }
    }
    onProgress();
  }
  return { deleted };
}

async function readPhoto(photo: StoredPhoto) {
  const readAll = () => Promise.all(photoKeys(photo).map(async (key) => ({ key, bytes: await readWithRetries(key) })));
  // A row is written before its files: those of an upload in progress follow in a moment.
  for (let attempt = 1; ; attempt++) {
    const contents = await readAll();
    if (attempt === 3 || contents.every(({ bytes }) => bytes !== null) || !(await uploadExists(photo)))
      return { photo, contents };
    await sleep(500 * attempt);
  }
}

/** A temporary failure of the file store doesn't abort the backup. */
export async function readWithRetries(key: string): Promise<Uint8Array | null> {
  for (let attempt = 1; ; attempt++)
    try {
      return await readFile(key);
    } catch (error) {
      if (attempt === 4) throw error;
      await sleep(1_000 * attempt);
    }
}

const uploadExists = async ({ client_id, token }: StoredPhoto): Promise<boolean> =>
  (await pool().query("select from uploads where client_id = $1 and token = $2", [client_id, token])).rowCount === 1;

/** Stores files, several at once. */
export class FileWrites {
  readonly #running = new Set<Promise<void>>();
  /** Errors of storing files, thrown by the next call: one may occur while no write is awaited. */
  readonly #errors: unknown[] = [];

  /** Begins to store a file, when there are few enough others. */
  async add(key: string, bytes: Buffer): Promise<void> {
    const write: Promise<void> = storeFile(key, bytes)
      .catch((error: unknown) => {
        this.#errors.push(error);
      })
      .finally(() => this.#running.delete(write));
    this.#running.add(write);
    if (this.#running.size >= CONCURRENCY) await Promise.race(this.#running);
    this.#throwFirst();
  }

  /** Waits until all files are stored. */
  async finish(): Promise<void> {
    await this.settle();
    this.#throwFirst();
  }

  /** Waits for the running writes, whatever their result. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #throwFirst(): void {
    if (this.#errors.length > 0) throw this.#errors[0];
  }
}

/** Stores a file and reads it back. */
async function storeFile(key: string, bytes: Buffer): Promise<void> {
  await writeFile(key, bytes);
  const stored = await readFile(key);
  if (!stored || !bytes.equals(stored)) throw new AppError("unavailable", { reason: "file_not_kept", params: { key } });
}
