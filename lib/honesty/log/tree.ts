// The Merkle tree of RFC 6962 in the tiles of c2sp.org/tlog-tiles: formats and arithmetic only, without I/O. Sizes are
// numbers: a log stays below 2^53 entries. So no bitwise operators, which cut to 32 bits.
import { hash } from "node:crypto";

export const HASH_BYTES = 32;
/** Hashes in a full tile, and entries in a full bundle: tiles have the height 8. */
export const TILE_WIDTH = 256;

/** A tile, full or the leftmost part of one. `hashes` are its hashes, one after another. */
export type Tile = { level: number; n: number; hashes: Buffer };

/** Reads a tile's first `width` hashes; may return more. */
export type ReadTile = (level: number, n: number, width: number) => Uint8Array | Promise<Uint8Array>;

const sha256 = (data: Uint8Array): Buffer => hash("sha256", data, "buffer");

/** The root of a tree without entries. */
export const emptyRoot = (): Buffer => sha256(Buffer.alloc(0));

/** The hash of an entry. */
export const leafHash = (entry: Uint8Array): Buffer => sha256(Buffer.concat([Buffer.of(0), entry]));

/** The hash of two subtrees. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  sha256(Buffer.concat([Buffer.of(1), left, right]));

/** How many hashes a tile has in a tree of this size: 256, fewer at the right edge, 0 beyond it. */
export function tileWidth(size: number, level: number, n: number): number {
  return Math.max(0, Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** level) - n * TILE_WIDTH));
}

/** The path below the log's address: `tile/0/x001/x234/067.p/5`, or `tile/entries/…` for entries. */
export function tilePath(level: number | "entries", n: number, width: number): string {
  const digits = String(n);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.../g)!;
  const partial = width < TILE_WIDTH ? `.p/${width}` : "";
  return `tile/${level}/${groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/")}${partial}`;
}

/** The tile that a path names; undefined unless the path is exactly the one that `tilePath` makes. */
export function parseTilePath(path: string): { level: number | "entries"; n: number; width: number } | undefined {
  const match = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (!match) return undefined;
  const level = match[1] === "entries" ? match[1] : Number(match[1]);
  const n = Number(match[2]!.replace(/[x/]/g, ""));
  const width = match[3] === undefined ? TILE_WIDTH : Number(match[3]);
  // Leaves out zeros in front, a partial tile of width 0 or 256, and levels above 63.
  const isCanonical = width > 0 && (level === "entries" || level < 64) && tilePath(level, n, width) === path;
  return isCanonical ? { level, n, width } : undefined;
}

/** An entry bundle. Bundles can be concatenated: a partial one grows by the bundle of what is new. */
export function bundle(entries: Uint8Array[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > 0xffff) throw new RangeError(`An entry has ${entry.length} bytes; 65535 are allowed.`);
      return [Buffer.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}

/** The entries of a bundle. Throws if it doesn't end with an entry. */
export function readBundle(data: Uint8Array): Buffer[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const entries: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 <= bytes.length ? at + 2 + bytes.readUInt16BE(at) : Number.POSITIVE_INFINITY;
    if (end > bytes.length) throw new RangeError(`The bundle ends in the middle of its entry ${entries.length}.`);
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return entries;
}

/**
 * The tiles that change when leaves are appended to a tree of this size, at all levels, from the partial tiles at its
 * right edge. A tile is full when it has 256 hashes.
 */
export async function appendLeaves(size: number, readTile: ReadTile, leafHashes: Uint8Array[]): Promise<Tile[]> {
  const changed: Tile[] = [];
  let added = leafHashes;
  for (let level = 0; added.length > 0; level++) {
    const start = Math.floor(size / TILE_WIDTH ** level);
    const first = Math.floor(start / TILE_WIDTH);
    const known = start % TILE_WIDTH;
    const before = known > 0 ? firstHashes(await readTile(level, first, known), known, level, first) : Buffer.alloc(0);
    const hashes = Buffer.concat([before, ...added]);
    added = [];
    for (let n = first, at = 0; at < hashes.length; n++, at += TILE_WIDTH * HASH_BYTES) {
      const tile = { level, n, hashes: hashes.subarray(at, at + TILE_WIDTH * HASH_BYTES) };
      changed.push(tile);
      if (tile.hashes.length === TILE_WIDTH * HASH_BYTES) added.push(foldTile(tile.hashes));
    }
  }
  return changed;
}

/** Reads changed tiles from memory, the others with `readTile`. */
export function withTiles(changed: Tile[], readTile: ReadTile): ReadTile {
  const byPlace = new Map(changed.map((tile) => [`${tile.level}/${tile.n}`, tile.hashes]));
  return (level, n, width) => byPlace.get(`${level}/${n}`) ?? readTile(level, n, width);
}

/** The root of the tree of the first `size` entries. */
export function rootOf(size: number, readTile: ReadTile): Promise<Buffer> {
  return new TileReader(size, readTile).root();
}

/** The hashes that prove that an entry is in the tree: RFC 6962, 2.1.1. */
export async function inclusionProof(index: number, size: number, readTile: ReadTile): Promise<Buffer[]> {
  if (index < 0 || index >= size) throw new RangeError(`A tree of ${size} entries has no entry ${index}.`);
  const tree = new TileReader(size, readTile);
  const proof: Buffer[] = [];
  // From the root down to the entry: the subtree beside the path.
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + split(end - start);
    if (index < middle) {
      proof.unshift(await tree.hashOf(middle, end));
      end = middle;
    } else {
      proof.unshift(await tree.hashOf(start, middle));
      start = middle;
    }
  }
  return proof;
}

/** The hashes that prove that a tree begins with the entries of a smaller one: RFC 6962, 2.1.2. */
export async function consistencyProof(oldSize: number, size: number, readTile: ReadTile): Promise<Buffer[]> {
  if (oldSize < 0 || oldSize > size) throw new RangeError(`A tree of ${size} entries has no head of ${oldSize}.`);
  if (oldSize === 0 || oldSize === size) return [];
  const tree = new TileReader(size, readTile);
  const proof: Buffer[] = [];
  let start = 0;
  let end = size;
  while (end !== oldSize) {
    const middle = start + split(end - start);
    if (oldSize <= middle) {
      proof.unshift(await tree.hashOf(middle, end));
      end = middle;
    } else {
      proof.unshift(await tree.hashOf(start, middle));
      start = middle;
    }
  }
  // If the old tree is a subtree of the new one, the verifier knows its hash.
  if (start > 0) proof.unshift(await tree.hashOf(start, end));
  return proof;
}

/** Whether the proof leads from an entry's hash to the root: RFC 9162, 2.1.3.2. */
export function verifyInclusion(
  index: number,
  size: number,
  leaf: Uint8Array,
  proof: Uint8Array[],
  root: Uint8Array,
): boolean {
  if (index < 0 || index >= size) return false;
  let at = index;
  let last = size - 1;
  let computed = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      computed = nodeHash(sibling, computed);
      while (!isOdd(at) && at > 0) [at, last] = [half(at), half(last)];
    } else computed = nodeHash(computed, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isEqual(computed, root);
}

/** Whether the proof leads from the root of a smaller tree to that of a larger one: RFC 9162, 2.1.4.2. */
export function verifyConsistency(
  oldSize: number,
  size: number,
  oldRoot: Uint8Array,
  root: Uint8Array,
  proof: Uint8Array[],
): boolean {
  if (oldSize < 0 || oldSize > size) return false;
  if (oldSize === size) return proof.length === 0 && isEqual(oldRoot, root);
  if (oldSize === 0) return proof.length === 0 && isEqual(oldRoot, emptyRoot());
  let at = oldSize - 1;
  let last = size - 1;
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  const [first, ...others] = at === 0 ? [oldRoot, ...proof] : proof;
  if (!first) return false;
  let [oldComputed, computed] = [first, first];
  for (const sibling of others) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      oldComputed = nodeHash(sibling, oldComputed);
      computed = nodeHash(sibling, computed);
      while (!isOdd(at) && at > 0) [at, last] = [half(at), half(last)];
    } else computed = nodeHash(computed, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isEqual(oldComputed, oldRoot) && isEqual(computed, root);
}

/** Hashes of subtrees from tiles. Reads each tile once. */
class TileReader {
  readonly #tiles = new Map<string, Promise<Buffer>>();

  constructor(
    readonly size: number,
    readonly readTile: ReadTile,
  ) {}

  async root(): Promise<Buffer> {
    return this.size === 0 ? emptyRoot() : this.hashOf(0, this.size);
  }

  /** The hash of entries that are a subtree of RFC 6962: `start` is a multiple of a power of two not below their number. */
  async hashOf(start: number, end: number): Promise<Buffer> {
    const count = end - start;
    let level = 0;
    while (TILE_WIDTH ** (level + 1) <= count) level++;
    const leaves = TILE_WIDTH ** level;
    // Complete subtrees of up to 256 hashes of this level, all in one tile.
    if (Number.isInteger(count / leaves) && isPowerOfTwo(count / leaves)) {
      const first = start / leaves;
      const hashes = await this.#tile(level, Math.floor(first / TILE_WIDTH));
      const offset = (first % TILE_WIDTH) * HASH_BYTES;
      return foldTile(hashes.subarray(offset, offset + (count / leaves) * HASH_BYTES));
    }
    const middle = start + split(count);
    const left = await this.hashOf(start, middle);
    return nodeHash(left, await this.hashOf(middle, end));
  }

  #tile(level: number, n: number): Promise<Buffer> {
    const key = `${level}/${n}`;
    const known = this.#tiles.get(key);
    if (known) return known;
    const read = async () => {
      const width = tileWidth(this.size, level, n);
      return firstHashes(await this.readTile(level, n, width), width, level, n);
    };
    const tile = read();
    this.#tiles.set(key, tile);
    return tile;
  }
}

/** The root of a complete subtree, from its hashes; their number is a power of two. */
export function foldTile(hashes: Uint8Array): Buffer {
  // Not a node object per pair: verifying a log is mostly this loop.
  let nodes = Buffer.from(hashes);
  const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);
  while (nodes.length > HASH_BYTES) {
    const above = Buffer.allocUnsafe(nodes.length / 2);
    for (let at = 0; at < nodes.length; at += 2 * HASH_BYTES) {
      nodes.copy(pair, 1, at, at + 2 * HASH_BYTES);
      sha256(pair).copy(above, at / 2);
    }
    nodes = above;
  }
  return nodes;
}

function firstHashes(tile: Uint8Array, width: number, level: number, n: number): Buffer {
  if (tile.length % HASH_BYTES !== 0 || tile.length < width * HASH_BYTES)
    throw new RangeError(`Tile ${n} of level ${level} has ${tile.length} bytes instead of ${width * HASH_BYTES}.`);
  return Buffer.from(tile.buffer, tile.byteOffset, width * HASH_BYTES);
}

/** The largest power of two below a number of at least 2: where a tree of so many entries splits. */
function split(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

const half = (value: number): number => Math.floor(value / 2);
const isOdd = (value: number): boolean => value % 2 === 1;
const isPowerOfTwo = (value: number): boolean => value === 1 || split(value) * 2 === value;
const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
