import { statfs } from "node:fs/promises";
import { databaseCode } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";

// Whether there is room to store anything: in the data folder, and as the database and the store of files last said.

/** With less than this left in the data folder, the next photo or the database's log may be what fills it. */
const MIN_FREE_BYTES = 32 * 2 ** 20;
/** How long a write that found no room keeps the service out of traffic. */
const FULL_FOR_MS = 30_000;

const state = () => perProcess("space", () => ({ fullAt: Number.NEGATIVE_INFINITY }));

/** Whether an error, or what caused it, says that a disk is full: the database's, or this machine's. */
export function isOutOfSpace(error: unknown): boolean {
  for (let cause = error, depth = 0; cause && depth < 8; cause = (cause as Error).cause, depth += 1)
    if (["53100", "ENOSPC", "EDQUOT"].includes(databaseCode(cause))) return true;
  return false;
}

/** Remembers an error that says so, for {@link checkSpace}. */
export function recordOutOfSpace(error: unknown): void {
  if (isOutOfSpace(error)) state().fullAt = Date.now();
}

/** Throws `unavailable` where there is no room, or was none a moment ago. */
export async function checkSpace(): Promise<void> {
  const { bavail, bsize } = await statfs(/* turbopackIgnore: true */ env().DATA_DIR).catch(() => ({
    bavail: Number.POSITIVE_INFINITY, // nothing was stored there yet
    bsize: 1,
  }));
  if (bavail * bsize >= MIN_FREE_BYTES && Date.now() - state().fullAt > FULL_FOR_MS) return;
  throw outOfSpaceError();
}

/** What whoever wants something stored is told. */
export const outOfSpaceError = (cause?: unknown): AppError =>
  new AppError("unavailable", { reason: "out_of_space", cause, headers: { "Retry-After": "30" } });
