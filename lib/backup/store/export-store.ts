import { storeFormat, writeArchive } from "@/lib/backup/archive";
import { addPhotos } from "@/lib/backup/files";
import { STORE_FORMAT, type StoreManifest } from "@/lib/backup/manifest";
import { addRows } from "@/lib/backup/rows";
import { copyKnownPeople, createKnownPeople } from "@/lib/backup/store/known-people";
import { knownPeople } from "@/lib/backup/store/tables";
import { keyIds } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { beginSnapshot, connect, selectMigrations, selectPhotos, selectTables } from "../sql";
import { archivedTables, clientExists, copyStoreRows, isErasing } from "./sql";

export type StoreExportReport = {
  file: string;
  client: string;
  bytes: number;
  rows: number;
  files: number;
  /** files referenced in the database but missing in the file store */
  missing: string[];
  /** photos that were deleted meanwhile: the archive has their rows, but not their files */
  deleted: number;
};

type Progress = (progress: { rows: number; files: number }) => void;

/**
 * Writes everything of a store to a file, as of one moment, while the service runs: tables.ts says what that is. Throws
 * `not_found`, and `conflict` while a person's data is being deleted, since the rest of it would be in the file.
 */
export async function exportStore(
  clientId: string,
  file: string,
  { onProgress }: { onProgress?: Progress } = {},
): Promise<StoreExportReport> {
  const db = await connect();
  try {
    const tables = archivedTables(await selectTables(db));
    await createKnownPeople(db);
    await beginSnapshot(db, tables);
    if (!(await clientExists(db, clientId)))
      throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
    if (await isErasing(db, clientId)) throw new AppError("conflict", { reason: "store_erasing" });
    return await writeArchive(storeFormat, file, async (archive) => {
      const { rows: moment } = await db.query<{ now: Date }>("select now() as now");
      const manifest: StoreManifest = {
        format: STORE_FORMAT,
        created_at: moment[0]!.now.toISOString(),
        client: clientId,
        migration: (await selectMigrations(db)).at(-1)!,
        secret: keyIds().lasting,
        tables: [],
        files: { count: 0, bytes: 0, missing: [] },
      };
      let rows = 0;
      const add = async (name: string, columns: string[], statement: string) => {
        const written = await addRows(archive, db, name, statement);
        manifest.tables.push({ name, columns, ...written });
        rows += written.rows;
        onProgress?.({ rows, files: 0 });
      };
      for (const table of tables) await add(table.name, table.columns, copyStoreRows(table, clientId));
      await add(knownPeople.name, knownPeople.columns, await copyKnownPeople(db, clientId));
      const { files } = manifest;
      const { deleted } = await addPhotos(
        archive,
        files,
        (last) => selectPhotos(db, last, clientId),
        () => onProgress?.({ rows, files: files.count }),
      );
      await db.query("commit");
      const bytes = await archive.finish(manifest);
      return { file, client: clientId, bytes, rows, files: files.count, missing: files.missing, deleted };
    });
  } finally {
    await db.end();
  }
}
