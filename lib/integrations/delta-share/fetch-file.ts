import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { env } from "@/lib/platform/env";
import { guardedFetch } from "@/lib/platform/http/guarded-fetch";
import { asShareError } from "./client";
import type { FileAction } from "./read-action";
import { ShareError } from "./share-error";

/** Larger files are skipped and reported. Such tables usually have files of about 100 MB. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;

/** An unlinked local file, which disappears once its handle is closed or the process ends. */
export type LocalFile = { handle: FileHandle; size: number };

/** Downloads a file, twice if its length differs from the share's: a proxy may have truncated it. */
export async function fetchFile(file: FileAction, timeout?: number): Promise<LocalFile> {
  try {
    return await fetchOnce(file, timeout);
  } catch (error) {
    if (error instanceof ShareError && error.kind === "damaged") return fetchOnce(file, timeout);
    throw error;
  }
}

/**
 * Downloads a table's file to disk, so that only the part in use is in memory and the short-lived URL is used once.
 * Sends no token, since the URL authorizes itself and leads to another host. Throws {@link ShareError} `expired` if the
 * URL is rejected.
 */
async function fetchOnce({ url, size: expectedSize }: FileAction, timeout?: number): Promise<LocalFile> {
  if (!url.startsWith("https://") && !env().ALLOW_PRIVATE_URLS)
    throw new ShareError("unreadable", { reason: "share_file_not_https" });
  if (expectedSize > MAX_FILE_BYTES) throw tooLarge();
  const handle = await openUnlinkedFile();
  try {
    const answer = await guardedFetch(url, {
      maxRedirects: 0,
      maxBytes: MAX_FILE_BYTES,
      timeout: timeout ?? 15 * 60_000,
      idleTimeout: timeout ?? 60_000,
    });
    const { status } = answer;
    if (status !== 200) {
      answer.body.destroy();
      throw status >= 400 && status < 500 && status !== 429 && status !== 408
        ? new ShareError("expired", { reason: "share_file_refused", params: { status } }, { status })
        : new ShareError(
            "busy",
            { reason: "share_files_unavailable", params: { status } },
            {
              status,
            },
          );
    }
    let size = 0;
    for await (const piece of answer.body) {
      await handle.write(piece, 0, piece.length, size);
      size += piece.length;
    }
    if (expectedSize > 0 && size !== expectedSize)
      throw new ShareError("damaged", {
        reason: "share_file_damaged",
        params: { bytes: size, expected: expectedSize },
      });
    return { handle, size };
  } catch (error) {
    await handle.close();
    throw hideAddress(error);
  }
}

/** A private file that disappears when it's closed, even if the process is killed. */
async function openUnlinkedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), "candor-share-"));
  try {
    return await open(path.join(folder, "file"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The path of the URL may reveal the tenant's storage; people only need to know what to do. */
function hideAddress(error: unknown): unknown {
  const shareError = asShareError(error);
  if (!shareError || shareError === error) return shareError ?? error;
  if (shareError.kind === "unreadable") return tooLarge();
  if (shareError.kind === "rejected")
    return new ShareError(
      "unreadable",
      { reason: "share_file_internal_network" },
      {
        cause: error,
      },
    );
  return new ShareError(
    "busy",
    { reason: "share_files_not_reached" },
    {
      cause: error,
    },
  );
}

const tooLarge = () =>
  new ShareError("unreadable", { reason: "share_file_too_large", params: { gib: MAX_FILE_BYTES / 1024 ** 3 } });
