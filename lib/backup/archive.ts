import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { extract, pack } from "tar-stream";
import type { z } from "zod";
import { Manifest, StoreManifest } from "@/lib/backup/manifest";
import { AppError } from "@/lib/platform/errors";
import type { Params, Reason } from "@/lib/platform/issue";

// Backups and archives of stores: tars that any tar program can list. Their entries, in this order:
//
//   CANDOR-BACKUP             identifies the format; CANDOR-STORE for a store
//   tables/<table>/<n>.gz     COPY output of the rows, compressed, in pieces
//   files/<key>               photos and uploaded feeds, under their keys in the file store
//   secrets.json              the installation's secrets, encrypted with a passphrase; optional, not for a store
//   manifest.json             the content: manifest.ts
//   SHA256                    the digest of all bytes before this entry

/** A kind of archive. `manifest` parses its manifest. */
export type ArchiveFormat<M> = {
  magic: { name: string; content: string };
  manifest: z.ZodType<M>;
  /** allowed names and maximum size of each kind of entry between the first and `SHA256`; nothing else is read */
  entries: readonly { name: RegExp; most: number }[];
  /** the errors for a file of another kind, and for a manifest of another release */
  notThis: Reason;
  unreadable: Reason;
};

const DIGEST = "SHA256";
/** Two blocks of the last entry and two that end a tar. */
const TAIL_BYTES = 4 * 512;
const END_BYTES = 2 * 512;
const PIECE_BYTES = 4 * 1024 * 1024;

const MANIFEST = { name: /^manifest\.json$/, most: 64 * 1024 * 1024 };
const TABLE = { name: /^tables\/[a-z_][a-z0-9_]{0,62}\/\d{6,9}\.gz$/, most: 2 * PIECE_BYTES };
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Part of expressions. */
const PHOTO = String.raw`[\w-]{2}/[\w-]{2,64}/(?:original|icon|medium|large)\.(?:jpg|png|webp)`;

/** A backup of a whole installation. */
export const backupFormat: ArchiveFormat<Manifest> = {
  magic: {
    name: "CANDOR-BACKUP",
    content: "A backup of Candor. Restore it with: npm run -s admin -- restore FILE\n",
  },
  manifest: Manifest,
  entries: [
    TABLE,
    { name: new RegExp(`^files/(?:${PHOTO}|feeds/[\\w-]{2,64}/\\d{1,6})$`), most: MAX_FILE_BYTES },
    { name: /^secrets\.json$/, most: 1024 * 1024 },
    MANIFEST,
  ],
  notThis: "not_a_backup",
  unreadable: "backup_manifest_unreadable",
};

/** An archive of one store. */
export const storeFormat: ArchiveFormat<StoreManifest> = {
  magic: {
    name: "CANDOR-STORE",
    content: "A store of Candor. Import it with: npm run -s admin -- client import FILE\n",
  },
  manifest: StoreManifest,
  entries: [TABLE, { name: new RegExp(`^files/${PHOTO}$`), most: MAX_FILE_BYTES }, MANIFEST],
  notThis: "not_a_store_archive",
  unreadable: "store_manifest_unreadable",
};

export type Entry = { name: string; bytes: Buffer };

async function packEntry(name: string, content: string | Buffer): Promise<Buffer> {
  const packed = pack();
  packed.entry({ name, mode: 0o600, mtime: new Date(0) }, content);
  packed.finalize();
  return buffer(packed);
}

/** Writes an archive, readable by its owner only. It gets its name once it's complete. */
export class ArchiveWriter<M> {
  readonly #digest = createHash("sha256");
  readonly #part: string;
  #bytes = 0;

  private constructor(
    readonly file: string,
    readonly handle: FileHandle,
  ) {
    this.#part = partOf(file);
  }

  static async create<M>({ magic }: ArchiveFormat<M>, file: string): Promise<ArchiveWriter<M>> {
    await rm(partOf(file), { force: true }); // left by one that was killed
    const writer = new ArchiveWriter<M>(file, await open(partOf(file), "wx", 0o600));
    await writer.add(magic.name, magic.content);
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
  async finish(manifest: M): Promise<number> {
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

/** An archive that was read once and verified. */
export type CheckedArchive<M> = {
  manifest: M;
  digest: string;
  secrets: string | null;
  /** reads it again, entry by entry */
  entries: () => AsyncGenerator<Entry>;
  close: () => Promise<void>;
};

/**
 * Opens an archive and reads it to its end: verifies the digest of all bytes and the kind of every entry. Throws
 * `invalid_parameter` for any other file.
 */
export async function openArchive<M>(format: ArchiveFormat<M>, file: string): Promise<CheckedArchive<M>> {
  const handle = await open(file, "r");
  try {
    const checked = await check(format, file, handle);
    return { ...checked, entries: () => entriesOf(format, file, handle), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function check<M>(format: ArchiveFormat<M>, file: string, handle: FileHandle) {
  const { size } = await handle.stat();
  const head = Buffer.alloc(512);
  await handle.read(head, 0, head.length, 0);
  const magic = (await packEntry(format.magic.name, format.magic.content)).subarray(0, 512);
  if (!head.equals(magic)) throw invalidFile(format.notThis, { file });
  const digest = createHash("sha256");
  if (size > TAIL_BYTES) for await (const chunk of read(handle, size - TAIL_BYTES)) digest.update(chunk as Buffer);
  const found = digest.digest("hex");
  const tail = Buffer.alloc(TAIL_BYTES);
  await handle.read(tail, 0, tail.length, Math.max(0, size - TAIL_BYTES));
  if (!tail.equals(await packEntry(DIGEST, found))) throw invalidFile("backup_cut_short", { file });

  let manifest: M | null = null;
  let secrets: string | null = null;
  for await (const { name, bytes } of entriesOf(format, file, handle)) {
    if (name === "secrets.json") secrets = bytes.toString();
    if (name === "manifest.json") manifest = readManifest(format, file, bytes);
  }
  if (!manifest) throw invalidFile("backup_without_manifest", { file });
  return { manifest, digest: found, secrets };
}

function readManifest<M>(format: ArchiveFormat<M>, file: string, bytes: Buffer): M {
  try {
    return format.manifest.parse(JSON.parse(bytes.toString()));
  } catch (cause) {
    throw invalidFile(format.unreadable, { file }, cause);
  }
}

async function* entriesOf<M>(format: ArchiveFormat<M>, file: string, handle: FileHandle): AsyncGenerator<Entry> {
  const { size } = await handle.stat();
  const tar = extract();
  const maximumOf = (name: string) => {
    if (name === format.magic.name) return 1024;
    return name === DIGEST ? 64 : format.entries.find((each) => each.name.test(name))?.most;
  };
  read(handle, size)
    .on("error", (error) => tar.destroy(error))
    .pipe(tar);
  try {
    for await (const entry of tar) {
      const { name, type, size: bytes = 0 } = entry.header;
      const most = maximumOf(name);
      if (most === undefined || type !== "file" || bytes > most)
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

/** Writes an archive with `work`. If that fails, nothing remains of it. Throws `unavailable` if the disk is full. */
export async function writeArchive<M, T>(
  format: ArchiveFormat<M>,
  file: string,
  work: (archive: ArchiveWriter<M>) => Promise<T>,
): Promise<T> {
  const archive = await ArchiveWriter.create(format, file);
  try {
    return await work(archive);
  } catch (error) {
    await archive.discard();
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    throw new AppError("unavailable", { reason: "no_space_for_file", params: { file }, cause: error });
  }
}
