import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { extract, pack } from "tar-stream";
import { Manifest } from "@/lib/backup/manifest";
import { AppError } from "@/lib/platform/errors";
import type { Params, Reason } from "@/lib/platform/issue";

// The backup file: a tar that any tar program can list. Its entries, in this order:
//
//   CANDOR-BACKUP             identifies the format
//   tables/<table>/<n>.gz     COPY output of the rows, compressed, in pieces
//   files/<key>               photos and uploaded feeds, under their keys in the file store
//   secrets.json              the installation's secrets, encrypted with a passphrase; optional
//   manifest.json             the content: manifest.ts
//   SHA256                    the digest of all bytes before this entry

const MAGIC = {
  name: "CANDOR-BACKUP",
  content: "A backup of Candor. Restore it with: npm run -s admin -- restore FILE\n",
};
const DIGEST = "SHA256";
/** Two blocks of the last entry and two that end a tar. */
const TAIL_BYTES = 4 * 512;
const END_BYTES = 2 * 512;
const PIECE_BYTES = 4 * 1024 * 1024;

/** Allowed names and maximum size of each kind of entry. Nothing else is read. */
const allowedEntries = [
  { name: /^CANDOR-BACKUP$/, most: 1024 },
  { name: /^tables\/[a-z_][a-z0-9_]{0,62}\/\d{6,9}\.gz$/, most: 2 * PIECE_BYTES },
  {
    name: /^files\/(?:[\w-]{2}\/[\w-]{2,64}\/(?:original|icon|medium|large)\.(?:jpg|png|webp)|feeds\/[\w-]{2,64}\/\d{1,6})$/,
    most: 64 * 1024 * 1024,
  },
  { name: /^secrets\.json$/, most: 1024 * 1024 },
  { name: /^manifest\.json$/, most: 64 * 1024 * 1024 },
  { name: /^SHA256$/, most: 64 },
];

export type Entry = { name: string; bytes: Buffer };

async function packEntry(name: string, content: string | Buffer): Promise<Buffer> {
  const packed = pack();
  packed.entry({ name, mode: 0o600, mtime: new Date(0) }, content);
  packed.finalize();
  return buffer(packed);
}

/** Writes a backup file, readable by its owner only. It gets its name once it's complete. */
export class ArchiveWriter {
  readonly #digest = createHash("sha256");
  readonly #part: string;
  #bytes = 0;

  private constructor(
    readonly file: string,
    readonly handle: FileHandle,
  ) {
    this.#part = partOf(file);
  }

  static async create(file: string): Promise<ArchiveWriter> {
    await rm(partOf(file), { force: true }); // left by a backup that was killed
    const writer = new ArchiveWriter(file, await open(partOf(file), "wx", 0o600));
    await writer.add(MAGIC.name, MAGIC.content);
    return writer;
  }

  async add(name: string, content: string | Buffer): Promise<void> {
    const packed = await packEntry(name, content);
    await this.#write(packed.subarray(0, -END_BYTES));
  }

  /** Adds a table's compressed rows in pieces, so that they needn't fit in memory. */
  async addTable(table: string, stream: AsyncIterable<Buffer>): Promise<void> {
    let piece = 0;
    const addPiece = (chunks: Buffer[]) =>
      this.add(`tables/${table}/${String(++piece).padStart(6, "0")}.gz`, Buffer.concat(chunks));
    let buffered: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      buffered.push(chunk);
      size += chunk.length;
      if (size < PIECE_BYTES) continue;
      await addPiece(buffered);
      buffered = [];
      size = 0;
    }
    if (size > 0 || piece === 0) await addPiece(buffered);
  }

  /** Completes the file and renames it to its final name. Returns its size. */
  async finish(manifest: Manifest): Promise<number> {
    await this.add("manifest.json", JSON.stringify(manifest));
    await this.#write(await packEntry(DIGEST, this.#digest.copy().digest("hex")));
    await this.handle.sync();
    await this.handle.close();
    await rename(this.#part, this.file);
    const folder = await open(path.dirname(this.file), "r");
    await folder.sync().finally(() => folder.close());
    return this.#bytes;
  }

  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined); // may be closed already
    await rm(this.#part, { force: true });
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#digest.update(bytes);
    this.#bytes += bytes.length;
    await this.handle.appendFile(bytes);
  }
}

const partOf = (file: string): string => `${file}.part`;

/** A backup file that was read once and verified. */
export type CheckedArchive = {
  manifest: Manifest;
  digest: string;
  secrets: string | null;
  /** reads it again, entry by entry */
  entries: () => AsyncGenerator<Entry>;
  close: () => Promise<void>;
};

/**
 * Opens a backup file and reads it to its end: verifies the digest of all bytes and the kind of every entry. Throws
 * `invalid_parameter` for any other file.
 */
export async function openArchive(file: string): Promise<CheckedArchive> {
  const handle = await open(file, "r");
  try {
    const checked = await check(file, handle);
    return { ...checked, entries: () => entriesOf(file, handle), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function check(file: string, handle: FileHandle) {
  const { size } = await handle.stat();
  const head = Buffer.alloc(512);
  await handle.read(head, 0, head.length, 0);
  const magic = (await packEntry(MAGIC.name, MAGIC.content)).subarray(0, 512);
  if (!head.equals(magic)) throw invalidFile("not_a_backup", { file });
  const digest = createHash("sha256");
  if (size > TAIL_BYTES) for await (const chunk of read(handle, size - TAIL_BYTES)) digest.update(chunk as Buffer);
  const found = digest.digest("hex");
  const tail = Buffer.alloc(TAIL_BYTES);
  await handle.read(tail, 0, tail.length, Math.max(0, size - TAIL_BYTES));
  if (!tail.equals(await packEntry(DIGEST, found))) throw invalidFile("backup_cut_short", { file });

  let manifest: Manifest | null = null;
  let secrets: string | null = null;
  for await (const { name, bytes } of entriesOf(file, handle)) {
    if (name === "secrets.json") secrets = bytes.toString();
    if (name === "manifest.json") manifest = readManifest(file, bytes);
  }
  if (!manifest) throw invalidFile("backup_without_manifest", { file });
  return { manifest, digest: found, secrets };
}

function readManifest(file: string, bytes: Buffer): Manifest {
  try {
    return Manifest.parse(JSON.parse(bytes.toString()));
  } catch (cause) {
    throw invalidFile("backup_manifest_unreadable", { file }, cause);
  }
}

async function* entriesOf(file: string, handle: FileHandle): AsyncGenerator<Entry> {
  const { size } = await handle.stat();
  const tar = extract();
  read(handle, size)
    .on("error", (error) => tar.destroy(error))
    .pipe(tar);
  try {
    for await (const entry of tar) {
      const { name, type, size: bytes = 0 } = entry.header;
      const kind = allowedEntries.find((each) => each.name.test(name));
      if (!kind || type !== "file" || bytes > kind.most)
        throw invalidFile("backup_with_strange_entry", { file, name: JSON.stringify(name.slice(0, 200)) });
      yield { name, bytes: await buffer(entry) };
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw invalidFile("backup_not_a_tar", { file }, cause);
  } finally {
    tar.destroy();
  }
}

const read = (handle: FileHandle, size: number) =>
  createReadStream("", { fd: handle, autoClose: false, start: 0, end: size - 1, highWaterMark: 1024 * 1024 });

const invalidFile = (reason: Reason, params: Params, cause?: unknown): AppError =>
  new AppError("invalid_parameter", { reason, params, cause });
