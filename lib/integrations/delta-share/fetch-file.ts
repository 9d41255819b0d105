import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { env } from "@/lib/platform/env";
import { guardedFetch } from "@/lib/platform/http/guarded-fetch";
import type { FileAction } from "./read-action";
import { ShareFault } from "./read-fault";
import { asFault } from "./share";

/** A larger file is left out and said: tables of this kind are written in files of a hundred megabytes or so. */
const MAX_FILE = 2 * 1024 ** 3;

/** A file on this machine's disk, without a name: it goes with whoever holds it, however that ends. */
export type LocalFile = { handle: FileHandle; size: number };

/** Fetches a file, once more where it came with another length than the share says: what stood between may have cut it. */
export async function fetchFile(file: FileAction, timeout?: number): Promise<LocalFile> {
  try {
    return await fetchOnce(file, timeout);
  } catch (error) {
    if (error instanceof ShareFault && error.kind === "damaged") return fetchOnce(file, timeout);
    throw error;
  }
}

/**
 * Fetches a file of a table onto the disk, so that as much of it as is looked at is in memory, and its short-lived address
 * is used once. Without the profile's token: the address alone opens it, and it leads to another host. Throws
 * {@link ShareFault} `expired` where the address is too old.
 */
async function fetchOnce({ url, size: told }: FileAction, timeout?: number): Promise<LocalFile> {
  if (!url.startsWith("https://") && !env().ALLOW_PRIVATE_URLS)
    throw new ShareFault("unreadable", { reason: "share_file_not_https" });
  if (told > MAX_FILE) throw tooLarge();
  const handle = await nameless();
  try {
    const answer = await guardedFetch(url, {
      maxRedirects: 0,
      maxBytes: MAX_FILE,
      timeout: timeout ?? 15 * 60_000,
      idleTimeout: timeout ?? 60_000,
    });
    const { status } = answer;
    if (status !== 200) {
      answer.body.destroy();
      throw status >= 400 && status < 500 && status !== 429 && status !== 408
        ? new ShareFault("expired", { reason: "share_file_refused", params: { status } }, { status })
        : new ShareFault(
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
    if (told > 0 && size !== told)
      throw new ShareFault("damaged", { reason: "share_file_damaged", params: { bytes: size, expected: told } });
    return { handle, size };
  } catch (error) {
    await handle.close();
    throw withoutAddress(error);
  }
}

/** A file that nobody else can open, and that is gone when it is closed, even by a kill. */
async function nameless(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), "candor-share-"));
  try {
    return await open(path.join(folder, "file"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The path of such an address can name the tenant's storage; people need no more than what to do. */
function withoutAddress(error: unknown): unknown {
  const fault = asFault(error);
  if (!fault || fault === error) return fault ?? error;
  if (fault.kind === "unreadable") return tooLarge();
  if (fault.kind === "rejected")
    return new ShareFault(
      "unreadable",
      { reason: "share_file_internal_network" },
      {
        cause: error,
      },
    );
  return new ShareFault(
    "busy",
    { reason: "share_files_not_reached" },
    {
      cause: error,
    },
  );
}

const tooLarge = () =>
  new ShareFault("unreadable", { reason: "share_file_too_large", params: { gib: MAX_FILE / 1024 ** 3 } });
