import { pool } from "@/lib/platform/db/pool";

type Purge = { key: string; timeColumn: string; maxAge: string; where?: string; batchSize?: number };

/**
 * Creates a function that deletes up to `limit` rows whose `timeColumn` is older than `maxAge`, oldest first, and
 * returns the number of deleted rows. Skips locked rows. All arguments are constant SQL; `key` identifies a row.
 */
export const createPurge =
  (table: string, { key, timeColumn, maxAge, where = "true", batchSize = 5_000 }: Purge) =>
  async (limit = batchSize): Promise<number> => {
    const { rowCount } = await pool().query(
      `delete from ${table} where (${key}) in (
         select ${key} from ${table} where ${timeColumn} < now() - interval '${maxAge}' and ${where}
          order by ${timeColumn} limit $1 for update skip locked)`,
      [limit],
    );
    return rowCount ?? 0;
  };
