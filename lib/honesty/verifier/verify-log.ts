import type { Entry } from "@/lib/honesty/entry";
import { type Checkpoint, openCheckpoint } from "@/lib/honesty/log/checkpoint";
import { parseVerifier, type Verifier } from "@/lib/honesty/log/signed-note";
import {
  appendLeaves,
  emptyRoot,
  HASH_BYTES,
  leafHash,
  type ReadTile,
  readBundle,
  rootOf,
  TILE_WIDTH,
  type Tile,
  tilePath,
} from "@/lib/honesty/log/tree";
import { parseEntry } from "@/lib/honesty/parse-entry";
import { Mismatch } from "@/lib/honesty/verifier/mismatch";
import type { Source } from "@/lib/honesty/verifier/source";

/** A log's head, with the note that its key signed. */
export type Head = Checkpoint & {
  note: string;
  signedBy: Verifier[];
  /** The keys that it was checked with. */
  known: Verifier[];
};

/** Something that must hold for a log's entries. Throws a `Mismatch` if it doesn't. */
export type Check = {
  add(entry: Entry, index: number): void;
  /** After the last entry; everything before has been found right. */
  end(head: Head): void | Promise<void>;
};

/** The log's head. `keysOf` gives the keys that may sign it, by the name that the log gives itself. */
export async function readHead(source: Source, keysOf: (origin: string) => Promise<Verifier[]>): Promise<Head> {
  const file = await source.read("checkpoint");
  if (!file) throw new Mismatch(`There is no checkpoint at ${source.name}.`);
  const note = file.toString("utf8");
  const [origin = ""] = note.split("\n");
  const known = await keysOf(origin);
  try {
    const head = openCheckpoint(note, known);
    if (!head.signedBy.some(({ name }) => name === origin)) throw new Error(`Not signed by a key of ${origin}.`);
    return { ...head, note, known };
  } catch (error) {
    throw new Mismatch(`The checkpoint is not valid: ${messageOf(error)}`, [note]);
  }
}

/** The keys in the log's `key` file, one a line. */
export async function readKeys(source: Source): Promise<Verifier[]> {
  const file = await source.read("key");
  if (!file) throw new Mismatch(`There is no key at ${source.name}. Give the one you know with --key.`);
  try {
    return file.toString("utf8").trim().split("\n").map(parseVerifier);
  } catch (error) {
    throw new Mismatch(`The key at ${source.name} is not valid: ${messageOf(error)}`);
  }
}

/**
 * Reads all entries of a log and proves them while it reads: their form, every tile above them, the heads remembered
 * from before (by size), and at the end the root. Nothing is proven before the iteration has ended without an error.
 */
export async function* readEntries(
  source: Source,
  head: Checkpoint,
  remembered: Pick<Head, "size" | "root" | "note">[] = [],
): AsyncGenerator<{ index: number; entry: Entry }> {
  const awaited = remembered.toSorted((a, b) => a.size - b.size);
  const newest = awaited.at(-1);
  if (newest && newest.size > head.size)
    throw new Mismatch(`The log has become shorter: it has ${head.size} entries, and had ${newest.size}.`, [
      newest.note,
    ]);
  const last = new Map<number, Tile>();
  const fromMemory: ReadTile = (level) => last.get(level)?.hashes ?? Buffer.alloc(0);
  let consistent = 0;
  for await (const { n, entries, hashes } of readBundles(source, head.size)) {
    const size = n * TILE_WIDTH;
    for (const [at, bytes] of entries.entries())
      yield { index: size + at, entry: parse(bytes, size + at, tilePath("entries", n, entries.length)) };
    for (const tile of await appendLeaves(size, fromMemory, hashes)) {
      last.set(tile.level, tile);
      // Level 0 was compared with the entries; others are when they are full, and at the end.
      if (tile.level > 0 && tile.hashes.length === TILE_WIDTH * HASH_BYTES) await compareTile(source, tile);
    }
    // The right edges of all sizes up to here are in the last tiles.
    while (awaited[0] && awaited[0].size <= size + entries.length) {
      const before = awaited.shift()!;
      await compareHead(before, fromMemory, consistent);
      consistent = before.size;
    }
  }
  for (const tile of last.values())
    if (tile.level > 0 && tile.hashes.length < TILE_WIDTH * HASH_BYTES) await compareTile(source, tile);
  const root = head.size === 0 ? emptyRoot() : await rootOf(head.size, fromMemory);
  if (!root.equals(head.root))
    throw new Mismatch(
      `The checkpoint's root ${head.root.toString("base64")} is not the root of its ${head.size} entries, ${root.toString("base64")}.`,
    );
}

function parse(bytes: Buffer, index: number, place: string): Entry {
  try {
    return parseEntry(bytes);
  } catch (error) {
    throw new Mismatch(`Entry ${index} in ${place} ${messageOf(error)}.`);
  }
}

async function compareHead(
  { size, root, note }: Pick<Head, "size" | "root" | "note">,
  readTile: ReadTile,
  consistent: number,
): Promise<void> {
  if (size === 0 || (await rootOf(size, readTile)).equals(root)) return;
  throw new Mismatch(
    `The log's history was forked: its first ${size} entries are not those of the checkpoint remembered at this size. The first that differs is one of the entries ${consistent} to ${size - 1}.`,
    [note],
  );
}

async function compareTile(source: Source, { level, n, hashes }: Tile): Promise<void> {
  const width = hashes.length / HASH_BYTES;
  const served = await readTile(source, level, n, width);
  const at = firstDifference(split(served), split(hashes));
  if (at >= 0)
    throw new Mismatch(
      `${tilePath(level, n, width)}: hash ${at} is not that of ${tilePath(level - 1, n * TILE_WIDTH + at, TILE_WIDTH)}.`,
    );
}

type Bundle = { n: number; entries: Buffer[]; hashes: Buffer[] };

/** Bundles that are downloaded at the same time. */
const AHEAD = 8;

async function* readBundles(source: Source, size: number): AsyncGenerator<Bundle> {
  const count = Math.ceil(size / TILE_WIDTH);
  const started: Promise<Bundle>[] = [];
  for (let n = 0; n < count; n++) {
    for (let next = n + started.length; next < Math.min(count, n + AHEAD); next++) {
      const bundle = readEntryBundle(source, next, Math.min(TILE_WIDTH, size - next * TILE_WIDTH));
      bundle.catch(() => undefined); // thrown where it is awaited, unless an earlier one has failed
      started.push(bundle);
    }
    yield await started.shift()!;
  }
}

/** A bundle whose entries match the tile at level 0. */
async function readEntryBundle(source: Source, n: number, width: number): Promise<Bundle> {
  const place = tilePath("entries", n, width);
  const [data, tile] = await Promise.all([readFull(source, "entries", n, width), readTile(source, 0, n, width)]);
  let entries: Buffer[];
  try {
    entries = readBundle(data.bytes).slice(0, data.isWider ? width : undefined);
  } catch (error) {
    throw new Mismatch(`${place}: ${messageOf(error)}`);
  }
  const hashes = entries.map(leafHash);
  const expected = split(tile);
  const at = firstDifference(hashes, expected);
  if (at < 0) return { n, entries, hashes };
  const index = n * TILE_WIDTH + at;
  if (entries.length !== width)
    throw new Mismatch(
      `${place} has ${entries.length} entries instead of ${width}. The first that doesn't match its hash in ${tilePath(0, n, width)} is entry ${index}.`,
    );
  const real = expected.findIndex((hash) => hashes[at]?.equals(hash));
  const order = real >= 0 ? ` It is entry ${n * TILE_WIDTH + real} there: the order was changed.` : "";
  throw new Mismatch(`Entry ${index} in ${place} doesn't match its hash in ${tilePath(0, n, width)}.${order}`);
}

async function readTile(source: Source, level: number, n: number, width: number): Promise<Buffer> {
  const { bytes, isWider } = await readFull(source, level, n, width);
  const expected = width * HASH_BYTES;
  if (isWider ? bytes.length < expected : bytes.length !== expected)
    throw new Mismatch(`${tilePath(level, n, width)} has ${bytes.length} bytes instead of ${expected}.`);
  return bytes.subarray(0, expected);
}

/** A tile or bundle. Logs may delete partial ones once the full one exists. */
async function readFull(
  source: Source,
  level: number | "entries",
  n: number,
  width: number,
): Promise<{ bytes: Buffer; isWider: boolean }> {
  const partial = await source.read(tilePath(level, n, width));
  if (partial) return { bytes: partial, isWider: false };
  const full = width < TILE_WIDTH ? await source.read(tilePath(level, n, TILE_WIDTH)) : undefined;
  if (!full) throw new Mismatch(`${tilePath(level, n, width)} is missing.`);
  return { bytes: full, isWider: true };
}

const split = (hashes: Buffer): Buffer[] =>
  Array.from({ length: hashes.length / HASH_BYTES }, (_, at) =>
    hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );

/** The first place at which two lists differ, also by their length; -1 if they don't. */
function firstDifference(a: Buffer[], b: Buffer[]): number {
  const common = Math.min(a.length, b.length);
  for (let at = 0; at < common; at++) if (!a[at]!.equals(b[at]!)) return at;
  return a.length === b.length ? -1 : common;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
