import { open } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/lib/platform/errors";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import { fetchFeed } from "@/lib/platform/parsing/fetch-file";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";

/**
 * The source of an import: a display name, a file name whose extension hints at the format, and the charset that the
 * server declares.
 */
export type SourceNames = { source: string; filename: string; charset?: string };

type Work<T> = (input: AsyncIterable<Uint8Array>, names: SourceNames) => Promise<T>;

export const isAddress = (fileOrUrl: string): boolean => /^https?:\/\//i.test(fileOrUrl);

/** Calls `work` with the bytes of a local file or an http(s) URL, as given by the operator. */
export async function readSource<T>(fileOrUrl: string, work: Work<T>, network?: GuardedRequest["network"]): Promise<T> {
  if (!isAddress(fileOrUrl)) return readFileAs(fileOrUrl, work);
  const fetched = await fetchFeed(fileOrUrl, undefined, { network });
  if (fetched.notModified) throw new AppError("unavailable", { reason: "unexpected_not_modified" });
  const { body, source, filename, charset } = fetched;
  try {
    return await work(body, { source, filename, ...(charset && { charset }) });
  } finally {
    body.destroy();
  }
}

/**
 * Calls `work` with the bytes of a file. Throws AppError `not_found` if it doesn't exist, `invalid_field` if it can't
 * be read.
 */
export async function readFileAs<T>(file: string, work: Work<T>): Promise<T> {
  const handle = await openFile(file);
  try {
    const filename = path.basename(file);
    return await work(handle.createReadStream(), { source: filename, filename });
  } finally {
    await handle.close();
  }
}

async function openFile(file: string) {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (cause) {
    const { code } = (cause ?? {}) as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new AppError("not_found", { reason: "path_not_found", params: { file }, cause });
    throw unreadableFile("file_not_opened", { file }, cause);
  }
  throw unreadableFile("path_not_a_file", { file });
}
