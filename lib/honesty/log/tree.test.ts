import fc from "fast-check";
import { describe, expect, it } from "vitest";
import argon from "@/lib/honesty/log/fixtures/argon2020.json";
import {
  appendLeaves,
  bundle,
  consistencyProof,
  emptyRoot,
  HASH_BYTES,
  inclusionProof,
  leafHash,
  nodeHash,
  parseTilePath,
  type ReadTile,
  readBundle,
  rootOf,
  TILE_WIDTH,
  tilePath,
  tileWidth,
  verifyConsistency,
  verifyInclusion,
  withTiles,
} from "@/lib/honesty/log/tree";
import { propertyRuns } from "@/lib/tools/test/property-runs";

/** Tiles in memory, as a log stores them. */
class Tiles {
  size = 0;
  readonly #tiles = new Map<string, Buffer>();
  reads = 0;

  readonly read: ReadTile = (level, n, width) => {
    this.reads++;
    const tile = this.#tiles.get(tilePath(level, n, width));
    if (!tile) throw new Error(`No tile ${tilePath(level, n, width)}`);
    return tile;
  };

  /** For trees of earlier sizes: their partial tiles are the start of wider ones. */
  readonly readWidest: ReadTile = (level, n) => this.read(level, n, tileWidth(this.size, level, n));

  async append(hashes: Buffer[]): Promise<void> {
    for (const { level, n, hashes: tile } of await appendLeaves(this.size, this.read, hashes))
      this.#tiles.set(tilePath(level, n, tile.length / HASH_BYTES), tile);
    this.size += hashes.length;
  }
}

const leaves = (from: number, to: number): Buffer[] =>
  Array.from({ length: to - from }, (_, at) => leafHash(Buffer.from(`entry ${from + at}`)));

async function treeOf(...sizes: number[]): Promise<Tiles> {
  const tiles = new Tiles();
  for (const size of sizes) await tiles.append(leaves(tiles.size, size));
  return tiles;
}

/** The definition in RFC 6962, 2.1, word by word. */
function definedRoot(hashes: Buffer[]): Buffer {
  if (hashes.length === 0) return emptyRoot();
  if (hashes.length === 1) return hashes[0]!;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return nodeHash(definedRoot(hashes.slice(0, k)), definedRoot(hashes.slice(k)));
}

function flipped(data: Uint8Array, bit: number): Buffer {
  const copy = Buffer.from(data);
  const at = bit % (copy.length * 8);
  copy[at >> 3]! ^= 1 << (at & 7);
  return copy;
}

const base64 = (texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text, "base64"));

describe("hashes", () => {
  it("are those of Certificate Transparency's own tests", async () => {
    const entries = [
      "",
      "00",
      "10",
      "2021",
      "3031",
      "40414243",
      "5051525354555657",
      "606162636465666768696a6b6c6d6e6f",
    ];
    const roots = [
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
      "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
      "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
      "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    const tiles = new Tiles();
    const found = [(await rootOf(0, tiles.read)).toString("hex")];
    for (const entry of entries) {
      await tiles.append([leafHash(Buffer.from(entry, "hex"))]);
      found.push((await rootOf(tiles.size, tiles.read)).toString("hex"));
    }
    expect(found).toEqual(roots);
    const proofs = async (proof: Promise<Buffer[]>) => (await proof).map((hash) => hash.toString("hex").slice(0, 8));
    expect(await proofs(inclusionProof(5, 8, tiles.read))).toEqual(["bc1a0643", "ca854ea1", "d37ee418"]);
    expect(await proofs(consistencyProof(6, 8, tiles.read))).toEqual(["0ebc5d34", "ca854ea1", "d37ee418"]);
  });

  it("verify the proofs of a log of 962 million entries, and nothing near them", () => {
    const { head, entry, older } = argon;
    const [root, leaf, oldRoot] = base64([head.root, entry.hash, older.root]) as [Buffer, Buffer, Buffer];
    expect(verifyInclusion(entry.index, head.size, leaf, base64(entry.proof), root)).toBe(true);
    expect(verifyInclusion(entry.index + 1, head.size, leaf, base64(entry.proof), root)).toBe(false);
    expect(verifyInclusion(entry.index, head.size, leaf, base64(entry.proof.slice(1)), root)).toBe(false);
    expect(verifyConsistency(older.size, head.size, oldRoot, root, base64(older.proof))).toBe(true);
    expect(verifyConsistency(older.size + 1, head.size, oldRoot, root, base64(older.proof))).toBe(false);
    expect(verifyConsistency(older.size, head.size, oldRoot, root, base64(older.proof.slice(0, -1)))).toBe(false);
  });
});

describe("tiles", () => {
  it("have the paths of the specification", () => {
    expect(tilePath(0, 1234067, TILE_WIDTH)).toBe("tile/0/x001/x234/067");
    expect(tilePath(1, 0, 17)).toBe("tile/1/000.p/17");
    expect(tilePath("entries", 1000, 5)).toBe("tile/entries/x001/000.p/5");
    for (const path of ["tile/0/x001/x234/067", "tile/63/999.p/255", "tile/entries/x001/000.p/5"]) {
      const { level, n, width } = parseTilePath(path)!;
      expect(tilePath(level, n, width)).toBe(path);
    }
    const wrong = ["tile/64/000", "tile/00/000", "tile/0/0", "tile/0/x000/000", "tile/0/000.p/0", "tile/0/000.p/256"];
    const worse = ["tile/0/000.p/01", "tile/data/000", "tile/-1/000", "tile/0/1000", "/tile/0/000", "tile/0/000\n"];
    for (const path of [...wrong, ...worse]) expect(parseTilePath(path), path).toBeUndefined();
  });

  it("are as many and as wide as the specification says", async () => {
    const { read } = await treeOf(70_000);
    expect([tileWidth(70_000, 0, 272), tileWidth(70_000, 0, 273), tileWidth(70_000, 0, 274)]).toEqual([256, 112, 0]);
    expect([tileWidth(70_000, 1, 0), tileWidth(70_000, 1, 1), tileWidth(70_000, 2, 0)]).toEqual([256, 17, 1]);
    expect((await read(1, 1, 17)).length).toBe(17 * HASH_BYTES);
    // A full tile's hash is in the level above at once.
    expect([tileWidth(256, 0, 0), tileWidth(256, 1, 0)]).toEqual([256, 1]);
    expect((await (await treeOf(256)).read(1, 0, 1)).length).toBe(HASH_BYTES);
  });

  it("change only at the right edge", async () => {
    const tiles = await treeOf(70_000);
    tiles.reads = 0;
    const places = async (count: number) =>
      (await appendLeaves(70_000, tiles.read, leaves(70_000, 70_000 + count))).map(
        ({ level, n, hashes }) => `${level}/${n}: ${hashes.length / HASH_BYTES}`,
      );
    expect(await places(1)).toEqual(["0/273: 113"]);
    expect(tiles.reads).toBe(1);
    expect(await places(144)).toEqual(["0/273: 256", "1/1: 18"]);
    expect(await places(0)).toEqual([]);
    expect(await places(300)).toEqual(["0/273: 256", "0/274: 156", "1/1: 18"]);
    const changed = await appendLeaves(70_000, tiles.read, leaves(70_000, 70_300));
    expect(await rootOf(70_300, withTiles(changed, tiles.read))).toEqual(definedRoot(leaves(0, 70_300)));
  });

  it("are refused when they are too short", async () => {
    const short: ReadTile = () => Buffer.alloc(HASH_BYTES);
    await expect(rootOf(2, short)).rejects.toThrow("Tile 0 of level 0 has 32 bytes instead of 64.");
    await expect(rootOf(1, () => Buffer.alloc(33))).rejects.toThrow("33 bytes");
    await expect(appendLeaves(2, short, leaves(2, 3))).rejects.toThrow("32 bytes");
  });
});

describe("bundles", () => {
  it("have each entry's length before it", () => {
    const entries = [Buffer.from("one"), Buffer.alloc(0), Buffer.alloc(65_535, 7)];
    const data = bundle(entries);
    expect(data.subarray(0, 5)).toEqual(Buffer.from("\0\x03one"));
    expect(readBundle(data).map((entry, at) => entry.equals(entries[at]!))).toEqual([true, true, true]);
    expect(readBundle(Buffer.concat([data, bundle([Buffer.from("more")])]))).toHaveLength(4);
    expect(readBundle(Buffer.alloc(0))).toEqual([]);
    expect(() => bundle([Buffer.alloc(65_536)])).toThrow("65535 are allowed");
    expect(() => readBundle(data.subarray(0, -1))).toThrow("in the middle of its entry 2");
    expect(() => readBundle(Buffer.of(0))).toThrow("in the middle of its entry 0");
  });
});

describe("proofs", () => {
  // Several levels of tiles would need 65,536 entries in each case; this has them once.
  const large = treeOf(300, 70_000, 132_000);

  it("are right for any size, however it was reached", async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), fc.nat(), async (steps, a, b, bit) => {
        const tiles = await treeOf(...steps.map((_, at) => steps.slice(0, at + 1).reduce((sum, step) => sum + step)));
        const all = leaves(0, tiles.size);
        const size = a % (tiles.size + 1);
        const read = tiles.readWidest;
        const root = await rootOf(size, read);
        expect(root).toEqual(definedRoot(all.slice(0, size)));
        await expectProofs(size, read, b, bit, (count) => definedRoot(all.slice(0, count)), root);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it("are right over several levels", async () => {
    const tiles = await large;
    const read = tiles.readWidest;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: tiles.size }), fc.nat(), fc.nat(), async (size, b, bit) => {
        const roots = new Map<number, Buffer>();
        for (const count of [size, b % (size + 1)]) roots.set(count, await rootOf(count, read));
        await expectProofs(size, read, b, bit, (count) => roots.get(count)!, roots.get(size)!);
      }),
      { numRuns: propertyRuns(60) },
    );
    expect(await rootOf(tiles.size, read)).toEqual(definedRoot(leaves(0, tiles.size)));
  });

  it("read each tile once", async () => {
    const tiles = await large;
    tiles.reads = 0;
    await inclusionProof(70_001, tiles.size, tiles.read);
    expect(tiles.reads).toBeLessThanOrEqual(5);
  });

  it("are refused outside the tree", async () => {
    const { read } = await treeOf(3);
    await expect(inclusionProof(3, 3, read)).rejects.toThrow("no entry 3");
    await expect(consistencyProof(4, 3, read)).rejects.toThrow("no head of 4");
    expect(verifyInclusion(3, 3, emptyRoot(), [], emptyRoot())).toBe(false);
    expect(verifyConsistency(0, 3, emptyRoot(), await rootOf(3, read), [])).toBe(true);
    expect(verifyConsistency(0, 3, leaves(0, 1)[0]!, await rootOf(3, read), [])).toBe(false);
    expect(verifyConsistency(4, 3, emptyRoot(), emptyRoot(), [])).toBe(false);
  });
});

/** Proofs in the tree of this size verify, and don't after one bit is flipped or a hash is missing or added. */
async function expectProofs(
  size: number,
  read: ReadTile,
  random: number,
  bit: number,
  rootAt: (size: number) => Buffer,
  root: Buffer,
): Promise<void> {
  if (size > 0) {
    const index = random % size;
    const [leaf] = leaves(index, index + 1) as [Buffer];
    const proof = await inclusionProof(index, size, read);
    expect(verifyInclusion(index, size, leaf, proof, root)).toBe(true);
    expect(verifyInclusion(index, size, flipped(leaf, bit), proof, root)).toBe(false);
    expect(verifyInclusion(index, size, leaf, proof, flipped(root, bit))).toBe(false);
    for (const wrong of damaged(proof, bit)) expect(verifyInclusion(index, size, leaf, wrong, root)).toBe(false);
  }
  const oldSize = random % (size + 1);
  const oldRoot = rootAt(oldSize);
  const proof = await consistencyProof(oldSize, size, read);
  expect(verifyConsistency(oldSize, size, oldRoot, root, proof)).toBe(true);
  expect(verifyConsistency(oldSize, size, flipped(oldRoot, bit), root, proof)).toBe(false);
  if (oldSize > 0) expect(verifyConsistency(oldSize, size, oldRoot, flipped(root, bit), proof)).toBe(false);
  for (const wrong of damaged(proof, bit)) expect(verifyConsistency(oldSize, size, oldRoot, root, wrong)).toBe(false);
}

function damaged(proof: Buffer[], bit: number): Buffer[][] {
  const added = [...proof, leafHash(Buffer.of(bit & 255))];
  if (proof.length === 0) return [added];
  const at = bit % proof.length;
  return [added, proof.filter((_, index) => index !== at), proof.with(at, flipped(proof[at]!, bit))];
}
