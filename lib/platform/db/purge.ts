import { pool } from "@/lib/platform/db/pool";

type Purge = { key: string; timeColumn: string; maxAge: string; where?: string; batchSize?: number };

/** Deletes up to `limit` rows, of one client if given, and returns how many. */
export type PurgeRows = (limit?: number, clientId?: string | null) => Promise<number>;

/**
 * Creates a function that deletes up to `limit` rows whose `timeColumn` is older than `maxAge`, oldest first, and
 * returns the number of deleted rows. Skips locked rows. All arguments are constant SQL; `key` identifies a row. Only
 * tables with a `client_id` can be purged of one client's rows.
 */
export const createPurge =
  (table: string, { key, timeColumn, maxAge, where = "true", batchSize = 5_000 }: Purge) =>
  async (limit = batchSize, clientId: string | null = null): Promise<number> => {
    const { rowCount } = await pool().query(
      `delete from ${table} where (${key}) in (
         select ${key} from ${table} where ${timeColumn} < now() - interval '${maxAge}' and ${where}${clientId === null ? "" : " and client_id = $2"}
          order by ${timeColumn} limit $1 for update skip locked)`,
      clientId === null ? [limit] : [limit, clientId],
    );
    return rowCount ?? 0;
  };
