import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { withNotices } from "@/lib/platform/notices";
import { csvRow } from "@/lib/platform/parsing/csv-cells";
import { type ImportRow, requireImport, STALLED_SQL } from "@/lib/transfer/imports/records";
import { CAN_UNDO_SQL } from "@/lib/transfer/imports/request-step";
import type { FoundReport, ReviewImport } from "@/lib/transfer/imports/schema";
import type { ColumnMapping } from "@/lib/transfer/imports/values";

const PAGE = 25;
const ORDER = "review_imports.newest";

type Client = Pick<ClientRow, "id">;
type Found = Omit<ImportRow, "report"> & Pick<ReviewImport, "stalled" | "has_file" | "can_undo">;

const columns = `i.id, i.kind, i.layout, i.filename, i.parts, i.mapping, i.pending, i.fetch_photos, i.status, i.failed_step,
  i.read, i.created, i.updated, i.unchanged, i.rejected, i.processed, i.total, i.error, i.created_at, i.imported_at, i.undone_at,
  i.status in ('checking', 'importing', 'undoing') and ${STALLED_SQL} as stalled, ${CAN_UNDO_SQL} as can_undo,
  exists (select from feed_uploads u where u.client_id = i.client_id and u.import_id = i.id) as has_file`;

const toReviewImport = ({ parts, created_at, imported_at, undone_at, ...row }: Found): ReviewImport => {
  const { mapping: _, ...shown } = row;
  return withNotices(
    {
      ...shown,
      by_command: parts === null,
      created_at: toIsoSeconds(created_at),
      imported_at: imported_at && toIsoSeconds(imported_at),
      undone_at: undone_at && toIsoSeconds(undone_at),
    },
    "error",
  );
};

/** A page of the client's imports of reviews, newest first. Throws `invalid_cursor`. */
export async function listReviewImports(
  client: Client,
  { after }: { after?: string } = {},
): Promise<{ imports: ReviewImport[]; next: string | null }> {
  const key = after === undefined ? null : decodeCursor(after, ORDER, ["time", "text"]).key;
  const { rows } = await pool().query<Found>(
    `select ${columns} from review_imports i where client_id = $1 ${key ? "and (created_at, id) < ($3::timestamptz, $4)" : ""}
      order by created_at desc, id desc limit $2`,
    [client.id, PAGE + 1, ...(key ?? [])],
  );
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    imports: shown.map(toReviewImport),
    next:
      rows.length > PAGE && last
        ? encodeCursor({ order: ORDER, key: [last.created_at.toISOString(), last.id], startedAt: null })
        : null,
  };
}

async function findImport(client: Client, id: string): Promise<Found> {
  const { rows } = await pool().query<Found>(
    `select ${columns} from review_imports i where client_id = $1 and id = $2`,
    [client.id, id],
  );
  if (!rows[0]) throw new AppError("not_found", { reason: "import_not_found" });
  return rows[0];
}

/** One import. Throws `not_found`. */
export const getReviewImport = async (client: Client, id: string): Promise<ReviewImport> =>
  toReviewImport(await findImport(client, id));

/** Skipped rows that the page lists; all listed ones can be downloaded. */
const SHOWN_ROWS = 100;

/** One import for its page: with the chosen columns and its report, if it has one. Throws `not_found`. */
export async function getReviewImportDetails(
  client: Client,
  id: string,
): Promise<{ line: ReviewImport; mapping: ColumnMapping; report: FoundReport | null }> {
  const [found, { report }] = await Promise.all([findImport(client, id), requireImport(client.id, id)]);
  const full = "rejected" in report ? (report as FoundReport) : null;
  return {
    line: toReviewImport(found),
    mapping: found.mapping,
    report: full && { ...full, rejected: full.rejected.slice(0, SHOWN_ROWS) },
  };
}

/** The skipped rows that an import's report lists, as CSV. Throws `not_found`. */
export async function skippedRowsCsv(client: Client, id: string): Promise<AsyncGenerator<string>> {
  const { report } = await requireImport(client.id, id);
  const rejected = "rejected" in report ? (report as FoundReport).rejected : [];
  async function* lines() {
    yield csvRow(["row", "reason"]) + rejected.map(({ row, reason }) => csvRow([row, reason])).join("");
  }
  return lines();
}
