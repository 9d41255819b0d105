import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { selectFeeds, toFeed } from "@/lib/feeds/feed-rows";
import type { Feed, ImportDetails, ImportLine } from "@/lib/feeds/schema";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { withNotices } from "@/lib/platform/notices";

const PAGE = 25;
const ORDER = "imports.newest";

type Client = Pick<ClientRow, "id">;
type Row = Omit<ImportLine, "started_at" | "finished_at"> & { started_at: Date; finished_at: Date | null };

const columns =
  "id, feed_id, kind, source, status, read, created, updated, unchanged, deleted, rejected, error, started_at, finished_at";

const toImportLine = ({ started_at, finished_at, ...row }: Row): ImportLine =>
  withNotices(
    { ...row, started_at: toIsoSeconds(started_at), finished_at: finished_at && toIsoSeconds(finished_at) },
    "error",
  );

export const listFeeds = async (client: Client): Promise<Feed[]> => (await selectFeeds(client.id)).map(toFeed);

/**
 * A page of the client's imports of every kind, newest first. `next` is the cursor of the next page. Throws
 * `invalid_cursor`.
 */
export async function listImports(
  client: Client,
  { after }: { after?: string } = {},
): Promise<{ imports: ImportLine[]; next: string | null }> {
  const key = after === undefined ? null : decodeCursor(after, ORDER, ["time", "text"]).key;
  const { rows } = await pool().query<Row>(
    `select ${columns} from feed_imports where client_id = $1 ${key ? "and (started_at, id) < ($3::timestamptz, $4)" : ""}
      order by started_at desc, id desc limit $2`,
    [client.id, PAGE + 1, ...(key ?? [])],
  );
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    imports: shown.map(toImportLine),
    next:
      rows.length > PAGE && last
        ? encodeCursor({ order: ORDER, key: [last.started_at.toISOString(), last.id], startedAt: null })
        : null,
  };
}

/** One import with its report. Throws `not_found`. */
export async function getImport(client: Client, id: string): Promise<ImportDetails> {
  type Found = Row & {
    report: NonNullable<ImportDetails["report"]> | { refusal?: string | null };
    upload_id: string | null;
    parts: number | null;
  };
  const { rows } = await pool().query<Found & { feed_exists: boolean }>(
    `select ${columns.replaceAll(/\b(\w+)\b/g, "i.$1")}, i.report, u.id as upload_id, u.parts, f.id is not null as feed_exists
       from feed_imports i
       left join feed_uploads u on u.client_id = i.client_id and u.import_id = i.id
       left join feeds f on f.client_id = i.client_id and f.id = i.feed_id
      where i.client_id = $1 and i.id = $2`,
    [client.id, id],
  );
  const found = rows[0];
  if (!found) throw new AppError("not_found", { reason: "import_not_found" });
  const { report, upload_id, parts, feed_exists, ...row } = found;
  const confirm =
    feed_exists && row.feed_id
      ? { feed_id: row.feed_id }
      : upload_id !== null && parts !== null
        ? { upload_id, parts }
        : null;
  return {
    ...toImportLine(row),
    report: "rejected" in report ? report : null,
    // Only imports refused for their deletions can be confirmed.
    confirm: row.status === "refused" && "refusal" in report && report.refusal === "conflict" ? confirm : null,
  };
}
