import type pg from "pg";
import { type ArchiveWriter, backupFormat, writeArchive } from "@/lib/backup/archive";
import { addFile, addPhotos, readWithRetries } from "@/lib/backup/files";
import { FORMAT, type Manifest } from "@/lib/backup/manifest";
import { addRows } from "@/lib/backup/rows";
import { sealSecrets } from "@/lib/backup/seal-secrets";
import { pool } from "@/lib/platform/db/pool";
import { env, keyIds } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
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
    return await writeArchive(backupFormat, file, async (archive) => {
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
        const written = await addRows(archive, db, table.name, copyOut(table));
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
    });
  } finally {
    await db.end();
  }
}

async function addFiles(
  archive: ArchiveWriter<Manifest>,
  db: pg.Client,
  { files }: Manifest,
  onProgress: (count: number) => void,
): Promise<{ deleted: number }> {
  const nextPhotos = (last: StoredPhoto | null) => selectPhotos(db, last);
  const { deleted } = await addPhotos(archive, files, nextPhotos, () => onProgress(files.count));
  for (const { id, parts } of await selectFeedUploads(db))
    for (let part = 0; parts === null || part < parts; part += 1) {
      const key = `feeds/${id}/${part}`;
      const bytes = await readWithRetries(key);
      if (bytes) await addFile(archive, files, key, bytes);
      else if (parts === null || !(await feedUploadExists(id))) break;
      else files.missing.push(key);
    }
  onProgress(files.count);
  return { deleted };
}

const feedUploadExists = async (id: string): Promise<boolean> =>
  (await pool().query("select from feed_uploads where id = $1", [id])).rowCount === 1;
