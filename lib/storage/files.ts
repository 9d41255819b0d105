import path from "node:path";
import { Disk, errors } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { perProcess } from "@/lib/db/process";
import { env } from "@/lib/env";

/** Where files are kept, by key (`ab/abcd…/medium.jpg`). The only place that knows what kind of store it is. */
const disk = () =>
  perProcess(
    "storage",
    () =>
      new Disk(
        new FSDriver({
          location: path.join(/* turbopackIgnore: true */ env().DATA_DIR, "images"),
          visibility: "private",
        }),
      ),
  );

/** Writes a file, in the place of one that is there. */
export const writeFile = (key: string, bytes: Uint8Array): Promise<void> => disk().put(key, bytes);

/** A file's bytes, or null when there is none. */
export async function readFile(key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await disk().getBytes(key));
  } catch (error) {
    if (error instanceof errors.E_CANNOT_READ_FILE && isMissing(error.cause)) return null;
    throw error;
  }
}

/** Removes all files below `prefix`; none there is fine. */
export const removeFolder = (prefix: string): Promise<void> => disk().deleteAll(prefix);

const isMissing = (cause: unknown): boolean => {
  const { code, name } = (cause ?? {}) as { code?: string; name?: string };
  return code === "ENOENT" || name === "NoSuchKey";
};
