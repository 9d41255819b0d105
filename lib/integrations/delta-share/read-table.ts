import { addCount } from "@/lib/integrations/add-count";
import { getDatabaseTime } from "@/lib/orders/erased-hashes";
import { pool } from "@/lib/platform/db/pool";
import type { Notice } from "@/lib/platform/issue";
import { type EncodedNotices, encodeNotices } from "@/lib/platform/notices";
import { quotedText, storableText } from "@/lib/platform/storable-text";
import type { DeltaShareClient, Listing, TableName } from "./client";
import { fetchFile } from "./fetch-file";
import { importRows, type ShareImportContext } from "./import-rows";
import type { FileAction, TableMeta } from "./read-action";
import { type ParquetRow, readParquet } from "./read-parquet";
import { ShareError } from "./share-error";
import { fieldsOf, type Mapping, mapColumns, type PartName } from "./share-tables";
import { deleteFileRecords, deleteStaleFileRecords, recordReadFile, selectReadFiles } from "./sql";
import type { ReadVersion } from "./state";

export type TableReadContext = ShareImportContext & {
  share: DeltaShareClient;
  /** milliseconds per file */
  timeout?: number;
  /** notices by part */
  notices: Partial<Record<PartName, EncodedNotices[]>>;
  /** files skipped in this run, by part */
  skippedFiles: Partial<Record<PartName, string[]>>;
  /** whether there is time for another file */
  hasTime: () => boolean;
};

/** `unchanged`: nothing was read. `more`: time is up and files are left. `read`: complete up to `seen`. */
export type TableReadResult =
  | { state: "unchanged" }
  | { state: "more" }
  | { state: "read"; seen: ReadVersion | undefined };

/** With more consecutive rejected or damaged files, the file store counts as failing. */
const MAX_CONSECUTIVE_FAILURES = 10;
/** Skipped files that are reported individually. */
const MAX_FILE_NOTICES = 5;
/** With less remaining lifetime, a new URL is requested. */
const MIN_URL_LIFETIME_MS = 20_000;

/**
 * Reads what is new in a table: its changes if it shares them, else the files not read before, since files never
 * change. Files are read one by one, and recorded once their rows are stored. A file that is unreadable, gone or not as
 * the share describes is skipped, reported and retried by the next run.
 */
export async function readTable(
  reading: TableReadContext,
  part: PartName,
  table: TableName,
  seen: ReadVersion | undefined,
): Promise<TableReadResult> {
  const { share, clientId, settings } = reading;
  const version = await share.version(table);
  if (version === seen?.version) return { state: "unchanged" };
  // The reported version may lag behind what was read; that's no reason to read anything again.
  if (seen && version < seen.version && (await share.metadata(table)).id === seen.id) return { state: "unchanged" };
  const skippedFiles = reading.skippedFiles[part] ?? [];
  const tableNotices = skippedFiles.length > 0 ? (reading.notices[part] ?? []) : [];
  Object.assign(reading.notices, { [part]: tableNotices });
  Object.assign(reading.skippedFiles, { [part]: skippedFiles });
  const hints = await hintsFor(reading, part, table);
  const { listing, isFullListing } = await listNewFiles(share, table, seen, version, hints);
  if (seen && listing.meta.id !== seen.id) await deleteFileRecords(pool(), clientId, part);
  const mapping = mapTable(part, table, listing.meta, settings.columns[part]);
  const unknown = encodeNotices({
    reason: "table_without_set_columns",
    params: { name: table.name, columns: mapping.unknown.join(", ") },
  });
  if (mapping.unknown.length > 0 && !tableNotices.includes(unknown)) tableNotices.push(unknown);
  const read = await selectReadFiles(pool(), clientId, part);
  let unread = listing.files.filter(({ id }) => !read.has(id) && !skippedFiles.includes(id));
  const refused = new Set<string>();
  // Consecutive rejected or damaged files: skipped once another file succeeds, or none are left.
  let suspects: { id: string; notices: readonly Notice[] }[] = [];
  const skipSuspects = () => {
    for (const { id, notices } of suspects) {
      skippedFiles.push(id);
      addCount(reading.counts, "failed");
      if (skippedFiles.length <= MAX_FILE_NOTICES)
        tableNotices.push(encodeNotices({ reason: "file_left_out", params: { name: table.name } }, ...notices));
    }
    suspects = [];
  };
  for (let next = unread.shift(); next; next = unread.shift()) {
    if (!reading.hasTime()) {
      skipSuspects();
      return { state: "more" };
    }
    const file: FileAction = next;
    try {
      if (file.expiresAt !== null && file.expiresAt - Date.now() < MIN_URL_LIFETIME_MS && !refused.has(file.id))
        throw urlExpiredError();
      await readFile(reading, part, file, listing.meta, mapping);
      await recordReadFile(pool(), clientId, part, file.id);
      addCount(reading.counts, "files");
      skipSuspects();
    } catch (error) {
      if (!(error instanceof ShareError)) throw error;
      // Requests a new URL once per file. If that is rejected too, expiry isn't the cause.
      if (error.kind === "expired" && !refused.has(file.id)) {
        refused.add(file.id);
        const again = await listNewFiles(share, table, seen, version, hints);
        const remainingIds = new Set([file.id, ...unread.map(({ id }) => id)]);
        unread = again.listing.files.filter(({ id }) => remainingIds.has(id));
        // The file's rows may be in another file by now, which the changes since then may not contain.
        if (new Set(unread.map(({ id }) => id)).size < remainingIds.size) throw tableRewrittenError(table);
        continue;
      }
      if (error.kind !== "unreadable" && error.kind !== "expired" && error.kind !== "damaged") throw error;
      if (suspects.length === MAX_CONSECUTIVE_FAILURES) throw new ShareError("busy", error.issues, { cause: error });
      suspects.push({ id: file.id, notices: error.issues });
      // These errors are specific to the file, not caused by a proxy.
      if (error.kind === "unreadable" || isFileMissing(error)) skipSuspects();
    }
  }
  skipSuspects();
  if (skippedFiles.length > MAX_FILE_NOTICES)
    tableNotices.push(
      encodeNotices({
        reason: "more_files_left_out",
        params: { count: skippedFiles.length - MAX_FILE_NOTICES, name: table.name },
      }),
    );
  if (skippedFiles.length > 0) return { state: "read", seen };
  if (isFullListing)
    await deleteStaleFileRecords(
      pool(),
      clientId,
      part,
      listing.files.map(({ id }) => id),
    );
  return { state: "read", seen: { id: listing.meta.id, version: listing.version } };
}

/** Changes since the last version if they are available, else the whole table. */
async function listNewFiles(
  share: DeltaShareClient,
  table: TableName,
  seen: ReadVersion | undefined,
  version: number,
  hints: string[],
): Promise<{ listing: Listing; isFullListing: boolean }> {
  if (seen && version > seen.version) {
    const meta = await share.metadata(table);
    if (meta.hasChangeFeed && meta.id === seen.id) {
      try {
        return {
          listing: await share.changes(table, seen.version + 1, version),
          isFullListing: false,
        };
      } catch (error) {
        // Not shared after all, or the version is gone: read the whole table.
        if (!(error instanceof ShareError) || (error.kind !== "rejected" && error.kind !== "missing")) throw error;
      }
    }
  }
  return { listing: await share.query(table, { hints }), isFullListing: true };
}

/** Lets a share with years of receipts omit older files. Rows are filtered by date regardless. */
async function hintsFor({ share, settings }: TableReadContext, part: PartName, table: TableName): Promise<string[]> {
  if (settings.since === null || !("at" in fieldsOf(part))) return [];
  const { columns, partitionColumns } = await share.metadata(table);
  const { at } = mapColumns(part, settings.columns[part], [...columns, ...partitionColumns]).columns;
  // A day earlier, since times may have an offset.
  const from = new Date(Date.parse(settings.since) - 86_400_000).toISOString().slice(0, 10);
  return at !== undefined && /^\w+$/.test(at) ? [`${at} >= '${from}'`] : [];
}

/** Maximum length of column names in a notice about a missing column. */
const MAX_NAMES_LENGTH = 1_500;

/** Throws {@link ShareError} `rejected` if a required column is missing. */
export function mapTable(
  part: PartName,
  table: TableName,
  { columns, partitionColumns }: TableMeta,
  set: Record<string, string | null>,
): Mapping {
  const names = [...new Set([...columns, ...partitionColumns])];
  const mapping = mapColumns(part, set, names);
  if (mapping.missing.length > 0)
    throw new ShareError("rejected", {
      reason: "table_without_columns",
      params: {
        name: table.name,
        fields: mapping.missing.map((field) => `${part}.${field}`).join(", "),
        columns: quotedText(names.slice(0, 60).join(", "), MAX_NAMES_LENGTH),
      },
    });
  return mapping;
}

async function readFile(
  reading: TableReadContext,
  part: PartName,
  file: FileAction,
  { partitionColumns }: TableMeta,
  mapping: Mapping,
): Promise<void> {
  const read = await getDatabaseTime(pool());
  const local = await fetchFile(file, reading.timeout);
  try {
    let at = 0;
    for await (const rows of readParquet(local, [...Object.values(mapping.columns), CHANGE_COLUMN])) {
      const notices = rows.flatMap((row) => {
        at += 1;
        // An update contains both versions. A deleted row may reappear in another file.
        if (row[CHANGE_COLUMN] === "update_preimage" || row[CHANGE_COLUMN] === "delete") return [];
        return {
          row: mapColumnsOfRow(row, mapping, file, partitionColumns),
          place: `row ${at} of file ${storableText(file.id, 60)}`,
        };
      });
      addCount(reading.counts, "read", notices.length);
      await importRows(reading, part, notices, read);
    }
  } finally {
    await local.handle.close();
  }
}

const CHANGE_COLUMN = "_change_type";

/** A row by field names. Partition columns aren't in the file. */
export function mapColumnsOfRow(
  row: ParquetRow,
  { columns }: Mapping,
  { partitionValues }: Pick<FileAction, "partitionValues">,
  partitionColumns: string[],
): ParquetRow {
  const values = Object.entries(columns).map(([field, column]) => [
    field,
    partitionColumns.includes(column) ? (partitionValues[column] ?? null) : row[column],
  ]);
  return Object.fromEntries(values);
}

const isFileMissing = ({ details: { status } }: ShareError): boolean => status === 404 || status === 410;

const tableRewrittenError = ({ name }: TableName) =>
  new ShareError("busy", { reason: "table_rewritten", params: { name } });

const urlExpiredError = () => new ShareError("expired", { reason: "share_address_expired" });
