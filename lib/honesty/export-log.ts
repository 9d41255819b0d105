import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { TILE_WIDTH, tilePath } from "@/lib/honesty/log/tree";
import { logSource } from "@/lib/honesty/log-source";
import { readHead } from "@/lib/honesty/read-log";
import { AppError } from "@/lib/platform/errors";

/**
 * Writes a store's log to a folder, in the files that the server offers: `checkpoint`, `key`, and the tiles and entries
 * below `tile/`. Returns the number of entries. Throws `not_found` before the first one.
 */
export async function exportLog(clientId: string, folder: string): Promise<{ entries: number; files: number }> {
  const source = logSource(clientId);
  const head = await readHead(clientId);
  if (!head) throw new AppError("not_found", { reason: "log_not_found" });
  let files = 0;
  const write = async (file: string, content: string | Buffer | undefined) => {
    if (content === undefined) throw new Error(`The log of ${clientId} lacks ${file}.`);
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, content);
    files += 1;
  };
  for (const file of logFiles(head.size)) await write(file, await source.read(file));
  await write("key", await source.read("key"));
  // Last: an export that is repeated into the same folder, and stops, leaves a log that fits.
  await write("checkpoint", head.checkpoint);
  return { entries: head.size, files };
}

/** The bundles and tiles of a log of this size. */
function* logFiles(size: number): Generator<string> {
  for (const level of ["entries", 0] as const) yield* filesOf(level, size);
  for (
    let level = 1, count = Math.floor(size / TILE_WIDTH);
    count > 0;
    level += 1, count = Math.floor(count / TILE_WIDTH)
  )
    yield* filesOf(level, count);
}

function* filesOf(level: number | "entries", count: number): Generator<string> {
  for (let n = 0; n * TILE_WIDTH < count; n += 1)
    yield tilePath(level, n, Math.min(TILE_WIDTH, count - n * TILE_WIDTH));
}
