import { pool } from "@/lib/platform/db/pool";

type Purge = { key: string; by: string; after: string; where?: string; most?: number };

/**
 * A verb that removes up to `limit` rows of a table whose time `by` lies more than `after` ago, oldest first, and answers how
 * many went. Rows that somebody is at stay for the next time. All parts are SQL of ours; `key` names the row.
 */
export const purgeOf =
  (table: string, { key, by, after, where = "true", most = 5_000 }: Purge) =>
  async (limit = most): Promise<number> => {
    const { rowCount } = await pool().query(
      `delete from ${table} where (${key}) in (
         select ${key} from ${table} where ${by} < now() - interval '${after}' and ${where}
          order by ${by} limit $1 for update skip locked)`,
      [limit],
    );
    return rowCount ?? 0;
  };
