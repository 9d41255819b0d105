import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { requireIntegration, withSecrets } from "@/lib/integrations/rows";
import type { SharePreview } from "@/lib/integrations/schema";
import { AppError } from "@/lib/platform/errors";
import { encodeError, withNotices } from "@/lib/platform/notices";
import { asShareError, type DeltaShareClient, type TableName } from "./client";
import { fetchFile } from "./fetch-file";
import { findTables } from "./find-tables";
import { readParquet } from "./read-parquet";
import { mapColumnsOfRow } from "./read-table";
import { fieldsOf, mapColumns, type PartName, partNames } from "./share-tables";
import { createDeltaShareClient } from "./sync-share";

const PREVIEW_ROWS = 3;
const MAX_TEXT_LENGTH = 80;
/** Larger files aren't fetched for three rows. */
const MAX_FILE = 64 * 1024 * 1024;

/**
 * Previews how a client's share is read: the table and column of each field, all columns, and the first rows. Stores
 * nothing. Throws `not_found` if no share is connected, `conflict` if its profile is unreadable, `invalid_parameter`
 * for another kind of integration.
 */
export async function previewShare(client: Pick<ClientRow, "id">, kind: string): Promise<SharePreview> {
  const row = await requireIntegration(client.id, kind);
  if (row.type !== "share") throw new AppError("invalid_parameter", { reason: "no_tables" });
  const { settings, secrets } = withSecrets(row, "share");
  try {
    const share = createDeltaShareClient({ secrets }, { retryDelays: [], timeout: 15_000 });
    const { found } = await findTables(share, settings);
    const tables: SharePreview["tables"] = [];
    for (const part of partNames) tables.push(await previewTable(share, part, found[part], settings.columns[part]));
    return { tables, fault: null };
  } catch (error) {
    const shareError = asShareError(error);
    if (shareError) return withNotices({ tables: [], fault: encodeError(shareError) }, "fault");
    throw error;
  }
}

async function previewTable(
  share: DeltaShareClient,
  part: PartName,
  table: TableName | null,
  set: Record<string, string | null>,
): Promise<SharePreview["tables"][number]> {
  const fields = Object.entries(fieldsOf(part));
  const empty = fields.map(([field, { needed = false }]) => ({
    field,
    column: null,
    needed,
  }));
  if (!table)
    return {
      part,
      table: null,
      fields: empty,
      columns: [],
      rows: [],
      fault: null,
    };
  const preview = { part, table: `${table.share}.${table.schema}.${table.name}` };
  try {
    const { meta, files } = await share.query(table, { limit: PREVIEW_ROWS });
    const names = [...new Set([...meta.columns, ...meta.partitionColumns])];
    const mapping = mapColumns(part, set, names);
    const rows: Record<string, string | null>[] = [];
    const file = files.find(({ size }) => size <= MAX_FILE);
    if (file) {
      const local = await fetchFile(file, 30_000);
      try {
        for await (const some of readParquet(local, Object.values(mapping.columns))) {
          const mappedRows = some
            .slice(0, PREVIEW_ROWS)
            .map((row) => mapColumnsOfRow(row, mapping, file, meta.partitionColumns));
          rows.push(
            ...mappedRows.map((row) =>
              Object.fromEntries(Object.entries(row).map(([key, value]) => [key, toText(value)])),
            ),
          );
          break;
        }
      } finally {
        await local.handle.close();
      }
    }
    const mapped = empty.map((one) => ({
      ...one,
      column: mapping.columns[one.field] ?? null,
    }));
    return {
      ...preview,
      fields: mapped,
      columns: names.slice(0, 500),
      rows,
      fault: null,
    };
  } catch (error) {
    const shareError = asShareError(error);
    if (!shareError || shareError.kind === "credential") throw error;
    return withNotices({ ...preview, fields: empty, columns: [], rows: [], fault: encodeError(shareError) }, "fault");
  }
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const fullText = typeof value === "object" ? JSON.stringify(value) : String(value);
  return fullText.length > MAX_TEXT_LENGTH ? `${fullText.slice(0, MAX_TEXT_LENGTH)}…` : fullText;
}
