import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { deleteUpload, findUploadOf, partsOf, requireParts, requireUpload } from "@/lib/feeds/upload-feed";
import { transaction } from "@/lib/platform/db/pool";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { type FilePreview, previewFile } from "@/lib/transfer/imports/preview-file";
import { requireImport } from "@/lib/transfer/imports/records";
import type { ImportChoices } from "@/lib/transfer/imports/schema";

export type { FilePreview };

/** Maximum imports of a client that aren't made yet, since their files are stored. */
const MAX_OPEN_IMPORTS = 20;

/** Not made yet, and no job works on it. */
const OPEN_SQL = "(status in ('uploaded', 'checked') or (status = 'failed' and failed_step = 'check'))";

/**
 * Prepares the import of an uploaded file: detects what it contains. Repeated calls return the same import. Throws
 * `not_found`, `conflict` if a part is missing or too many imports aren't made yet, and `invalid_field` (field `file`)
 * for a file that can't be imported. The file of the latter two is deleted.
 */
export async function prepareImport(
  actor: Pick<Actor, "kind" | "id">,
  client: ClientRow,
  { upload_id, parts }: { upload_id: string; parts: number },
): Promise<{ id: string }> {
  const upload = await requireUpload(client, upload_id);
  if (upload.kind !== "reviews") throw new AppError("not_found", { reason: "upload_not_found" });
  if (upload.import_id !== null) return { id: upload.import_id };
  await requireParts(upload_id, parts);
  let found: FilePreview;
  try {
    found = await previewFile(client, partsOf(upload_id, parts), { mapping: {}, pending: false });
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_field") await deleteUpload(upload);
    throw error;
  }
  const created = await transaction(async (db) => {
    const { import_id, filename } = await requireUpload(client, upload_id, { db, lock: true });
    if (import_id !== null) return { id: import_id };
    const id = newId("imp");
    const columns = JSON.stringify(found.columns.map(({ name }) => name));
    await db.query("select from clients where id = $1 for no key update", [client.id]);
    const { rowCount } = await db.query(
      `insert into review_imports (client_id, id, kind, layout, filename, parts, columns, status)
       select $1, $2, $3, $4, $5, $6, $7, 'uploaded'
        where (select count(*) from review_imports where client_id = $1 and ${OPEN_SQL}) < $8`,
      [client.id, id, found.kind, found.layout, filename, parts, columns, MAX_OPEN_IMPORTS],
    );
    if (rowCount === 0) return null;
    await db.query("update feed_uploads set import_id = $3, parts = $4 where client_id = $1 and id = $2", [
      client.id,
      upload_id,
      id,
      parts,
    ]);
    const detail = { kind: found.kind, filename };
    await recordAudit(db, { clientId: client.id, actor, action: "reviews.uploaded", subject: id, detail });
    return { id };
  });
  if (created) return created;
  await deleteUpload(upload);
  throw new AppError("conflict", { reason: "too_many_imports", params: { max: MAX_OPEN_IMPORTS } });
}

/** The file of an import, or null if it was deleted. */
export async function fileOf(client: Pick<ClientRow, "id">, importId: string) {
  const upload = await findUploadOf(client, importId);
  return upload && { upload, input: partsOf(upload.id, upload.parts ?? 0) };
}

/**
 * What the file of an import contains with the selected columns; null if it was deleted or can't be read anymore, which
 * a check reports. Throws `not_found`.
 */
export async function previewImport(client: ClientRow, id: string): Promise<FilePreview | null> {
  const { mapping, pending } = await requireImport(client.id, id);
  const file = await fileOf(client, id);
  if (!file) return null;
  try {
    return await previewFile(client, file.input, { mapping, pending });
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_field") return null;
    throw error;
  }
}

/**
 * Changes the columns and options of an import that isn't running or made yet; it must be checked again. Throws
 * `not_found`, `invalid_field` for a column that the file doesn't have, `conflict` otherwise.
 */
export async function changeImport(
  client: Pick<ClientRow, "id">,
  id: string,
  { mapping, pending, fetch_photos }: ImportChoices,
): Promise<void> {
  await transaction(async (db) => {
    const row = await requireImport(client.id, id, db);
    const unknown = Object.values(mapping).filter((column) => column != null && !row.columns.includes(column));
    throwIssues(
      unknown.length > 0
        ? [{ field: "mapping", reason: "unknown_columns", params: { names: unknown.join(", ") } }]
        : [],
    );
    const { rowCount } = await db.query(
      `update review_imports set mapping = $3, pending = $4, fetch_photos = $5, status = 'uploaded', failed_step = null, error = null,
              report = '{}', read = 0, created = 0, updated = 0, unchanged = 0, rejected = 0
        where client_id = $1 and id = $2 and ${OPEN_SQL}`,
      [client.id, id, JSON.stringify(mapping), pending, fetch_photos],
    );
    if (rowCount === 0) throw new AppError("conflict", { reason: "import_not_open" });
  });
}

/** Deletes an import that wasn't made, and its file. Throws `not_found`, and `conflict` if it was made or is running. */
export async function deleteImport(client: Pick<ClientRow, "id">, id: string): Promise<void> {
  const upload = await findUploadOf(client, id);
  await transaction(async (db) => {
    await requireImport(client.id, id, db);
    const { rowCount } = await db.query(`delete from review_imports where client_id = $1 and id = $2 and ${OPEN_SQL}`, [
      client.id,
      id,
    ]);
    if (rowCount === 0) throw new AppError("conflict", { reason: "import_not_open" });
  });
  // After a crash in between, the nightly cleanup deletes the file.
  if (upload) await deleteUpload(upload);
}
