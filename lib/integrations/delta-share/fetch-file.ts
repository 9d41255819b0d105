import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { env } from "@/lib/platform/env";
import { guardedFetch } from "@/lib/platform/http/guarded-fetch";
import { asShareError } from "./client";
import type { FileAction } from "./read-action";
import { ShareError } from "./share-error";

/** A larger file is left out and said: tables of this kind are written in files of a hundred megabytes or so. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;

/** A file on this machine's disk, without a name: it goes with whoever holds it, however that ends. */
export type LocalFile = { handle: FileHandle; size: number };

/** Fetches a file, once more where it came with another length than the share says: what stood between may have cut it. */
export async function fetchFile(file: FileAction, timeout?: number): Promise<LocalFile> {
  try {
    return await fetchOnce(file, timeout);
  } catch (error) {
    if (error instanceof ShareError && error.kind === "damaged") return fetchOnce(file, timeout);
    throw error;
  }
}

/**
 * Fetches a file of a table onto the disk, so that as much of it as is looked at is in memory, and its short-lived address
 * is used once. Without the profile's token: the address alone opens it, and it leads to another host. Throws
 * {@link ShareError} `expired` where the address is too old.
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

/** A file that nobody else can open, and that is gone when it is closed, even by a kill. */
async function openUnlinkedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), "candor-share-"));
  try {
    return await open(path.join(folder, "file"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The path of such an address can name the tenant's storage; people need no more than what to do. */
function hideAddress(error: unknown): unknown {
  const fault = asShareError(error);
  if (!fault || fault === error) return fault ?? error;
  if (fault.kind === "unreadable") return tooLarge();
  if (fault.kind === "rejected")
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
