import { pool } from "@/lib/platform/db/pool";

type Purge = { key: string; timeColumn: string; maxAge: string; where?: string; batchSize?: number };

/**
 * A verb that removes up to `limit` rows of a table whose time `by` lies more than `after` ago, oldest first, and answers how
 * many went. Rows that somebody is at stay for the next time. All parts are SQL of ours; `key` names the row.
 */
export const purgeOf =
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
