import type { Entry } from "@/lib/honesty/entry";
import { HASH_BYTES, parseTilePath, readBundle, TILE_WIDTH } from "@/lib/honesty/log/tree";
import { pool } from "@/lib/platform/db/pool";
import { selectBundle, selectHead, selectTile } from "./sql";

/** A log's signed head. Null before its first entry. */
export type LogHead = { origin: string; size: number; checkpoint: string };
export const readHead = (clientId: string): Promise<LogHead | null> => selectHead(pool(), clientId);

/** The first `width` hashes of a tile. Null if the log doesn't have that many. */
export async function readTile(clientId: string, level: number, n: number, width: number): Promise<Buffer | null> {
  const hashes = await selectTile(pool(), clientId, level, n);
  const bytes = width * HASH_BYTES;
  return hashes && hashes.length >= bytes ? hashes.subarray(0, bytes) : null;
}

/** The first `width` entries of a bundle, with their lengths. Null if the log doesn't have that many. */
export async function readEntryBundle(clientId: string, n: number, width: number): Promise<Buffer | null> {
  const entries = await selectBundle(pool(), clientId, n);
  if (!entries) return null;
  let end = 0;
  for (let count = 0; count < width; count += 1) {
    if (end + 2 > entries.length) return null;
    end += 2 + entries.readUInt16BE(end);
  }
  return entries.subarray(0, end);
}

/** The file of a log at a path such as `tile/0/000.p/5`. Null for another path, and for what the log doesn't have yet. */
export async function readTileFile(clientId: string, path: string): Promise<Buffer | null> {
  const place = parseTilePath(path);
  if (!place) return null;
  const { level, n, width } = place;
  return level === "entries" ? readEntryBundle(clientId, n, width) : readTile(clientId, level, n, width);
}

/** The entries of a log up to a size, in order. Reads one bundle at a time. */
export async function* readEntries(clientId: string, size: number): AsyncGenerator<Entry> {
  for (let n = 0; n * TILE_WIDTH < size; n += 1) {
    const bytes = await readEntryBundle(clientId, n, Math.min(TILE_WIDTH, size - n * TILE_WIDTH));
    if (!bytes) throw new Error(`The log of ${clientId} lacks entries of bundle ${n}.`);
    for (const entry of readBundle(bytes)) yield JSON.parse(entry.toString());
  }
}
