import { createHash } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { ArchiveWriter } from "@/lib/backup/archive";
import { FORMAT, type Manifest } from "@/lib/backup/manifest";
import { sealSecrets } from "@/lib/backup/seal-secrets";
import { pool } from "@/lib/platform/db/pool";
import { env, keyIds } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { readFile } from "@/lib/platform/storage/files";
import { fileName, folderOf, storedFiles } from "@/lib/reviews/uploads/image-objects";
import {
  beginSnapshot,
  connect,
  copyOut,
  lockBackups,
  type StoredPhoto,
  selectFeedUploads,
  selectMigrations,
  selectPhotos,
  selectSequences,
  selectTables,
  type Table,
} from "./sql";

export type BackupReport = {
  file: string;
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  /** files referenced in the database but missing in the file store */
  missing: string[];
  /** photos that were deleted while the backup was made: it has their rows, but not their files */
  deleted: number;
  secrets: boolean;
};

type Options = {
  /** encrypts the installation's secrets, which are left out without it */
  passphrase?: string;
  onProgress?: (progress: { rows: number; files: number }) => void;
};

/**
 * Writes the whole installation to a file, as of one moment, while it serves requests. Throws `conflict` while another
 * backup is running.
 */
export async function backUp(file: string, { passphrase, onProgress }: Options = {}): Promise<BackupReport> {
  const sealed =
    passphrase === undefined ? null : await sealSecrets([env().CANDOR_SECRET, ...env().CANDOR_OLD_SECRETS], passphrase);
  const db = await connect();
  try {
    if (!(await lockBackups(db))) throw new AppError("conflict", { reason: "backup_running" });
    const archive = await ArchiveWriter.create(file);
    try {
      const tables = await selectTables(db);
      await beginSnapshot(db, tables);
      const { rows: server } = await db.query<{ version: string; now: Date }>(
        "select current_setting('server_version') as version, now() as now",
      );
      const manifest: Manifest = {
        format: FORMAT,
        created_at: server[0]!.now.toISOString(),
        postgres: server[0]!.version,
        migrations: await selectMigrations(db),
        secret: keyIds(),
        tables: [],
        sequences: await selectSequences(db),
        files: { count: 0, bytes: 0, missing: [] },
      };
      let rows = 0;
      for (const table of tables) {
        const written = await addTable(archive, db, table);
        manifest.tables.push({ ...table, ...written });
        rows += written.rows;
        onProgress?.({ rows, files: 0 });
      }
      const { deleted } = await addFiles(archive, db, manifest, (files) => onProgress?.({ rows, files }));
      await db.query("commit");
      if (sealed) await archive.add("secrets.json", sealed);
      const bytes = await archive.finish(manifest);
      const { count, missing } = manifest.files;
      return { file, bytes, tables: tables.length, rows, files: count, missing, deleted, secrets: sealed !== null };
    } catch (error) {
      await archive.discard();
      const isFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
      throw isFull
        ? new AppError("unavailable", { reason: "no_space_for_file", params: { file }, cause: error })
        : error;
    }
  } finally {
    await db.end();
  }
}

async function addTable(archive: ArchiveWriter, db: pg.Client, table: Table) {
  const digest = createHash("sha256");
  let bytes = 0;
  const copy = db.query(copyTo(copyOut(table)));
  const gzip = createGzip();
  const filled = (async () => {
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      digest.update(chunk);
      bytes += chunk.length;
      if (!gzip.write(chunk)) await once(gzip, "drain");
    }
    gzip.end();
  })();
  filled.catch((error) => gzip.destroy(error)); // the reader of `gzip` gets the error
  await archive.addTable(table.name, gzip);
  await filled;
  return { rows: copy.rowCount, bytes, sha256: digest.digest("hex") };
}

/** Photos are read concurrently, since a remote store has a high latency. */
const PHOTO_CONCURRENCY = 8;

async function addFiles(
  archive: ArchiveWriter,
  db: pg.Client,
  { files }: Manifest,
  onProgress: (count: number) => void,
): Promise<{ deleted: number }> {
  let deleted = 0;
  const add = async (key: string, bytes: Uint8Array) => {
    await archive.add(`files/${key}`, Buffer.from(bytes));
    files.count += 1;
    files.bytes += bytes.length;
  };
  for (let page = await selectPhotos(db, null); page.length > 0; page = await selectPhotos(db, page.at(-1)!)) {
    for (let first = 0; first < page.length; first += PHOTO_CONCURRENCY / storedFiles.length) {
      const photos = page.slice(first, first + PHOTO_CONCURRENCY / storedFiles.length);
      for (const { photo, contents } of await Promise.all(photos.map(readPhoto))) {
        const missing = contents.filter(({ bytes }) => bytes === null);
        for (const { key, bytes } of contents) if (bytes) await add(key, bytes);
        if (missing.length === 0) continue;
        if (await uploadExists(photo)) files.missing.push(...missing.map(({ key }) => key));
        else deleted += 1;
      }
    }
    onProgress(files.count);
  }
  for (const { id, parts } of await selectFeedUploads(db))
    for (let part = 0; parts === null || part < parts; part += 1) {
      const key = `feeds/${id}/${part}`;
      const bytes = await readWithRetries(key);
      if (bytes) await add(key, bytes);
      else if (parts === null || !(await feedUploadExists(id))) break;
      else files.missing.push(key);
    }
  onProgress(files.count);
  return { deleted };
}

async function readPhoto(photo: StoredPhoto) {
  const keys = storedFiles.map((name) => `${folderOf(photo.key)}/${fileName(name, photo.format)}`);
  const readAll = () => Promise.all(keys.map(async (key) => ({ key, bytes: await readWithRetries(key) })));
  // A row is written before its files: those of an upload in progress follow in a moment.
  for (let attempt = 1; ; attempt++) {
    const contents = await readAll();
    if (attempt === 3 || contents.every(({ bytes }) => bytes !== null) || !(await uploadExists(photo)))
      return { photo, contents };
    await sleep(500 * attempt);
  }
}

/** A temporary failure of the file store doesn't abort the backup. */
async function readWithRetries(key: string): Promise<Uint8Array | null> {
  for (let attempt = 1; ; attempt++)
    try {
      return await readFile(key);
    } catch (error) {
      if (attempt === 4) throw error;
      await sleep(1_000 * attempt);
    }
}

const uploadExists = async ({ client_id, token }: StoredPhoto): Promise<boolean> =>
  (await pool().query("select from uploads where client_id = $1 and token = $2", [client_id, token])).rowCount === 1;

const feedUploadExists = async (id: string): Promise<boolean> =>
  (await pool().query("select from feed_uploads where id = $1", [id])).rowCount === 1;
