import { pool } from "@/lib/platform/db/pool";

/** The ids of all clients, in order, for jobs that process each of them. */
export async function listClientIds(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>("select id from clients order by id");
  return rows.map(({ id }) => id);
}
