import { statfs } from "node:fs/promises";
import { databaseCode } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";

// Whether there is free space: in the data folder, and by the last errors of the database and the file storage.

/** Below this, the next photo or the database's log could fill the data folder. */
const MIN_FREE_BYTES = 32 * 2 ** 20;
/** How long the service is not ready after a write failed for lack of space. */
const FULL_FOR_MS = 30_000;

const state = () => perProcess("space", () => ({ fullAt: Number.NEGATIVE_INFINITY }));

/** Whether an error or one of its causes is a full disk, of the database or this machine. */
export function isOutOfSpace(error: unknown): boolean {
  for (let cause = error, depth = 0; cause && depth < 8; cause = (cause as Error).cause, depth += 1)
    if (["53100", "ENOSPC", "EDQUOT"].includes(databaseCode(cause))) return true;
  return false;
}

/** Records an out-of-space error for {@link checkSpace}. */
export function recordOutOfSpace(error: unknown): void {
  if (isOutOfSpace(error)) state().fullAt = Date.now();
}

/** Throws `unavailable` if there is no free space, or there was none in the last 30 seconds. */
export async function checkSpace(): Promise<void> {
  const { bavail, bsize } = await statfs(/* turbopackIgnore: true */ env().DATA_DIR).catch(() => ({
    bavail: Number.POSITIVE_INFINITY, // the folder doesn't exist yet
    bsize: 1,
  }));
  if (bavail * bsize >= MIN_FREE_BYTES && Date.now() - state().fullAt > FULL_FOR_MS) return;
  throw outOfSpaceError();
}

/** The error for requests that store data. */
export const outOfSpaceError = (cause?: unknown): AppError =>
  new AppError("unavailable", { reason: "out_of_space", cause, headers: { "Retry-After": "30" } });
