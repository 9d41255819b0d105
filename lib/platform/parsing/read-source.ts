import { open } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/lib/platform/errors";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import { fetchFeed } from "@/lib/platform/parsing/fetch-file";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";

/** What an import is told of where its bytes come from: a name for people, one whose ending hints at the format, and the encoding that the server names. */
export type SourceNames = { source: string; filename: string; charset?: string };

type Work<T> = (input: AsyncIterable<Uint8Array>, names: SourceNames) => Promise<T>;

export const isAddress = (fileOrUrl: string): boolean => /^https?:\/\//i.test(fileOrUrl);

/** Hands `work` the bytes of a file on this machine or of an http(s) address, as the operator names it. */
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

/** Hands `work` the bytes of a file. AppError `not_found` when there is none, `invalid_field` when it may not be read. */
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
