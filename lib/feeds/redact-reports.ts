import type { Db } from "@/lib/platform/db/pool";

/**
 * Takes the values that could not be used out of the reports of a client's imports, in the caller's transaction: in a file
 * of orders or reviews they are customers' addresses and words, and nothing ties them to one of them. What remains of each
 * is row, field and reason. Product imports tell of nobody.
 */
export async function redactReports(db: Db, clientId: string): Promise<void> {
  await db.query(
    `update feed_imports set report = jsonb_set(report, '{warnings}',
            (select jsonb_agg(w - 'value') from jsonb_array_elements(report -> 'warnings') w))
      where client_id = $1 and kind <> 'products' and jsonb_path_exists(report, '$.warnings[*].value')`,
    [clientId],
  );
}
