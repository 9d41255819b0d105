import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Entry } from "@/lib/honesty/entry";
import { signCheckpoint } from "@/lib/honesty/log/checkpoint";
import { type Signer, verifierText } from "@/lib/honesty/log/signed-note";
import {
  appendLeaves,
  bundle,
  HASH_BYTES,
  leafHash,
  type ReadTile,
  rootOf,
  TILE_WIDTH,
  tilePath,
  withTiles,
} from "@/lib/honesty/log/tree";

export const newSigner = (name: string): Signer => ({ name, key: generateKeyPairSync("ed25519").privateKey });

/** A log in a folder, whose owner can also cheat. */
export class LogFolder {
  /** Its entries, as they are in the log. */
  readonly lines: string[] = [];
  signers: Signer[];

  constructor(
    readonly folder: string,
    readonly origin = "shop.example.com/honesty/shop/log",
  ) {
    this.signers = [newSigner(origin)];
  }

  /** The keys of its signers, as text. */
  get keys(): string[] {
    return this.signers.map(verifierText);
  }

  /** Appends entries, writes what changes, and signs the new head. */
  async append(entries: (Entry | string)[]): Promise<void> {
    const added = entries.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)));
    const size = this.lines.length;
    const read: ReadTile = (level, n, width) => this.read(tilePath(level, n, width));
    const changed = await appendLeaves(
      size,
      read,
      added.map((line) => leafHash(Buffer.from(line))),
    );
    this.lines.push(...added);
    for (const { level, n, hashes } of changed) {
      const width = hashes.length / HASH_BYTES;
      this.write(tilePath(level, n, width), hashes);
      const lines = this.lines.slice(n * TILE_WIDTH, n * TILE_WIDTH + width);
      if (level === 0) this.write(tilePath("entries", n, width), bundle(lines.map((line) => Buffer.from(line))));
    }
    const root = await rootOf(this.lines.length, withTiles(changed, read));
    const head = { origin: this.origin, size: this.lines.length, root };
    this.write("checkpoint", signCheckpoint(head, this.signers));
    this.write("key", `${this.keys.join("\n")}\n`);
  }

  /** Writes another history: the log from the start, with the same keys. */
  async rewrite(lines: string[]): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    this.lines.length = 0;
    await this.append(lines);
  }

  read(file: string): Buffer {
    return readFileSync(path.join(this.folder, file));
  }

  write(file: string, data: string | Uint8Array): void {
    const target = path.join(this.folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, data);
  }

  /** The entries with which every log starts. */
  opening(at = "2026-01-01T00:00:00Z"): Entry[] {
    const keys = this.keys.map((key): Entry => ({ type: "key", at, key }));
    return [{ type: "began", at }, ...keys, { type: "settings", at, settings: { send_emails_after_days: 14 } }];
  }
}

/** Entries about reviews as a shop's life makes them, always the same. `published` counts those published by stars. */
export function shopLife(count: number): { entries: Entry[]; published: number[] } {
  const entries: Entry[] = [];
  const published = [0, 0, 0, 0, 0];
  for (let review = 0; entries.length < count; review++) {
    const at = new Date(Date.UTC(2026, 0, 2) + review * 600_000).toISOString().replace(".000", "");
    const about = { at, kind: "review", item: review.toString(16).padStart(32, "0") } as const;
    const stars = 1 + ((review * 7) % 5);
    const content = leafHash(Buffer.from(`content ${review}`)).toString("hex");
    entries.push({ type: "received", ...about, stars, source: "invitation", verified: "buyer", content });
    const by = review % 3 === 0 ? "rule" : "person";
    if (review % 5 === 4) entries.push({ type: "rejected", ...about, by, reason: "spam" });
    else entries.push({ type: "published", ...about, by });
    if (review % 5 < 4) published[stars - 1]! += 1;
    if (review % 7 === 6) entries.push({ type: "replied", ...about });
    if (review % 11 === 10) {
      entries.push({ type: "erased", ...about });
      if (review % 5 < 4) published[stars - 1]! -= 1;
    }
  }
  return { entries, published };
}
