import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { importLane } from "@/lib/feeds/import-lane";
import { importOrders } from "@/lib/feeds/import-orders";
import { importProducts } from "@/lib/feeds/import-products";
import { ImportEndedError } from "@/lib/feeds/import-records";
import type { UploadKind } from "@/lib/feeds/values";
import { type Db, pool, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { newId, newUploadToken } from "@/lib/platform/ids";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";
import { log } from "@/lib/platform/log";
import { BATCH_SIZE, type DeletionResult, deleteInBatches } from "@/lib/platform/storage/delete-in-batches";
import { readFile, removeFolder, writeFile } from "@/lib/platform/storage/files";

// Files are uploaded in parts, each a short request, so slow connections and large files don't hit time or memory
// limits. When all parts are there, a job imports them as one stream.

type Client = Pick<ClientRow, "id">;
export type UploadRow = {
  client_id: string;
  id: string;
  kind: UploadKind;
  filename: string;
  import_id: string | null;
  parts: number | null;
  created_at: Date;
};

const folderOf = (id: string): string => `feeds/${id}`;
const partPath = (id: string, part: number): string => `${folderOf(id)}/${part}`;

/** Throws `not_found`. `lock`: until the end of the transaction. */
export async function requireUpload(
  client: Client,
  id: string,
  { db = pool(), lock = false }: { db?: Db; lock?: boolean } = {},
): Promise<UploadRow> {
  const { rows } = await db.query<UploadRow>(
    `select * from feed_uploads where client_id = $1 and id = $2 ${lock ? "for update" : ""}`,
    [client.id, id],
  );
  if (!rows[0]) throw new AppError("not_found", { reason: "upload_not_found" });
  return rows[0];
}

/** The upload that an import was made from, or null if it is deleted. */
export async function findUploadOf(client: Client, importId: string): Promise<UploadRow | null> {
  const { rows } = await pool().query<UploadRow>("select * from feed_uploads where client_id = $1 and import_id = $2", [
    client.id,
    importId,
  ]);
  return rows[0] ?? null;
}

/** Maximum uploads of a client that aren't imported yet. */
const MAX_OPEN_UPLOADS = 20;

/** Starts an upload. Throws `conflict` if too many are open: each may take disk space for a day. */
export async function createUpload(
  client: Client,
  { kind, filename }: { kind: UploadKind; filename: string },
): Promise<{ id: string }> {
  const id = newUploadToken();
  await transaction(async (db) => {
    await db.query("select from clients where id = $1 for no key update", [client.id]);
    const { rowCount } = await db.query(
      `insert into feed_uploads (client_id, id, kind, filename) select $1, $2, $3, $4
        where (select count(*) from feed_uploads where client_id = $1 and import_id is null) < $5`,
      [client.id, id, kind, filename, MAX_OPEN_UPLOADS],
    );
    if (rowCount === 0)
      throw new AppError("conflict", { reason: "too_many_uploads", params: { max: MAX_OPEN_UPLOADS } });
  });
  return { id };
}

/** Saves one part. Throws `not_found`, or `conflict` once the import is requested. */
export async function savePart(client: Client, id: string, part: number, bytes: Uint8Array): Promise<void> {
  const { import_id } = await requireUpload(client, id);
  if (import_id !== null) throw new AppError("conflict", { reason: "file_already_imported" });
  await writeFile(partPath(id, part), bytes);
}

/**
 * Starts the import of an uploaded file. Repeated calls return the same import, unless it was refused for its deletions
 * and these are confirmed now: then it runs again. Throws `not_found`, or `conflict` if a part is missing.
 */
export async function startImport(
  actor: Pick<Actor, "kind" | "id">,
  client: Client,
  id: string,
  { parts, confirm_deletions }: { parts: number; confirm_deletions: boolean },
): Promise<{ id: string }> {
  const { kind } = await requireUpload(client, id);
  if (kind === "reviews") throw new AppError("not_found", { reason: "upload_not_found" });
  await requireParts(id, parts);
  const started = await transaction(async (db) => {
    const { rows } = await db.query<UploadRow & { status: string | null }>(
      `select u.*, i.status from feed_uploads u left join feed_imports i on i.client_id = u.client_id and i.id = u.import_id
        where u.client_id = $1 and u.id = $2 for update of u`,
      [client.id, id],
    );
    const upload = rows[0];
    if (!upload) throw new AppError("not_found", { reason: "upload_not_found" });
    const isRetry = upload.status === "refused" && confirm_deletions;
    if (upload.import_id !== null && !isRetry) return { id: upload.import_id };
    const importId = newId("imp");
    await db.query(`insert into feed_imports (client_id, id, kind, source, status) values ($1, $2, $3, $4, 'queued')`, [
      client.id,
      importId,
      upload.kind,
      upload.filename,
    ]);
    await db.query(
      "update feed_uploads set import_id = $3, parts = $4, started_by = $5 where client_id = $1 and id = $2",
      [client.id, id, importId, parts, actor.kind === "user" ? actor.id : null],
    );
    const detail = { kind: upload.kind, filename: upload.filename, ...(isRetry && { confirm_deletions: true }) };
    await recordAudit(db, { clientId: client.id, actor, action: "feed.uploaded", subject: importId, detail });
    const confirmed = confirm_deletions ? { confirm_deletions: true } : {};
    const data = { client_id: client.id, upload_id: id, lane: importLane(client.id), ...confirmed };
    await enqueue(db, [{ name: "feed/uploaded", data }]);
    return { id: importId };
  });
  wakeRelay();
  return started;
}

/**
 * Imports an uploaded file and deletes it, unless the import was refused and can still be confirmed. May be repeated,
 * also after a storage or database outage: then the file is still there. A repetition that overlaps waits, and does
 * nothing once the first has ended.
 */
export async function importUpload(
  clientId: string,
  id: string,
  { confirmDeletions = false }: { confirmDeletions?: boolean } = {},
): Promise<{ outcome: "imported" | "refused" | "failed" | "skipped" }> {
  const { rows } = await pool().query<UploadRow & { status: string }>(
    `select u.*, i.status from feed_uploads u join feed_imports i on i.client_id = u.client_id and i.id = u.import_id
      where u.client_id = $1 and u.id = $2`,
    [clientId, id],
  );
  const upload = rows[0];
  if (!upload || !["queued", "running", "failed"].includes(upload.status)) {
    // A crash happened between the import and this deletion. While reviews follow, another run still needs the upload.
    if (upload && !["refused", "following"].includes(upload.status)) await deleteUpload(upload);
    return { outcome: "skipped" };
  }
  const { kind, filename, import_id, parts, created_at } = upload;
  const options = { source: filename, filename, importId: import_id ?? undefined };
  try {
    if (kind === "products") await importProducts(clientId, partsOf(id, parts ?? 0), { ...options, confirmDeletions });
    else await importOrders(clientId, partsOf(id, parts ?? 0), { ...options, since: created_at });
  } catch (error) {
    if (error instanceof ImportEndedError) return { outcome: "skipped" };
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    log.info({ upload: id, client: clientId, reason: error.code }, "could not import uploaded file");
    if (error.code === "conflict") return { outcome: "refused" };
    await deleteUpload(upload);
    return { outcome: "failed" };
  }
  await deleteUpload(upload);
  return { outcome: "imported" };
}

/** Throws `conflict` if the first or last part of an upload is missing. */
export async function requireParts(id: string, parts: number): Promise<void> {
  for (const part of new Set([0, parts - 1]))
    if ((await readFile(partPath(id, part))) === null)
      throw new AppError("conflict", { reason: "part_missing", params: { part } });
}

/** The uploaded file. Throws `invalid_field` (field `file`) if a part is lost. */
export async function* partsOf(id: string, parts: number): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < parts; part += 1) {
    const bytes = await readFile(partPath(id, part));
    if (bytes === null) throw new AppError("invalid_field", { reason: "part_lost", params: { part }, field: "file" });
    yield bytes;
  }
}

/** Files first: after a crash in between, the row remains and the nightly cleanup retries it. */
export async function deleteUpload({ client_id, id }: Pick<UploadRow, "client_id" | "id">): Promise<void> {
  await removeFolder(folderOf(id));
  await pool().query("delete from feed_uploads where client_id = $1 and id = $2", [client_id, id]);
}

type OldUpload = { client_id: string; id: string; created_at: string };

/**
 * Deletes a batch of uploads older than a day, of one client if given, with their parts, continuing after `behind`. Those
 * with an unfinished import are retained for a week.
 */
export const purgeUploads = (cursor: string | null = null, clientId: string | null = null): Promise<DeletionResult> =>
  deleteInBatches<OldUpload>((last) => selectOld(last, clientId), deleteUpload, cursor);

async function selectOld(last: OldUpload | null, clientId: string | null): Promise<OldUpload[]> {
  const { rows } = await pool().query<OldUpload>(
    `select client_id, id, created_at::text from feed_uploads u where created_at < now() - interval '1 day'
        and (created_at < now() - interval '7 days'
             or not exists (select from feed_imports i where i.client_id = u.client_id and i.id = u.import_id
                               and i.status in ('queued', 'running', 'following'))
                 and not exists (select from review_imports i where i.client_id = u.client_id and i.id = u.import_id
                                    and i.imported_at is null and i.undone_at is null))
        and ($2::timestamptz is null or (u.created_at, client_id, id) > ($2, $3, $4))
        and ($5::text is null or client_id = $5)
      order by u.created_at, client_id, id limit $1`,
    [BATCH_SIZE, last?.created_at ?? null, last?.client_id ?? null, last?.id ?? null, clientId],
  );
  return rows;
}

/**
 * Deletes leftover files of orders and reviews of a client, which contain customer data: uploads that are an hour old
 * without an import, and those whose import has ended, even if it would have been retried. Files still waiting for their
 * import stay: it leaves out people who were erased since.
 */
export async function deletePersonalUploads(clientId: string): Promise<void> {
  const { rows } = await pool().query<UploadRow>(
    `select u.client_id, u.id from feed_uploads u
       left join feed_imports i on i.client_id = u.client_id and i.id = u.import_id
       left join review_imports r on r.client_id = u.client_id and r.id = u.import_id
      where u.client_id = $1 and u.kind <> 'products'
        and case when u.import_id is null then u.created_at < now() - interval '1 hour'
                 when u.kind = 'reviews' then r.status is null or r.status not in ('checking', 'importing')
                 else i.status is null or i.status in ('done', 'refused', 'failed') end`,
    [clientId],
  );
  for (const row of rows) await deleteUpload(row);
}
