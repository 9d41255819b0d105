import type { Db } from "@/lib/platform/db/pool";

/**
 * Removes unusable values from a client's import reports, in the caller's transaction. In order and review files they
 * can be customers' addresses and text, and can't be attributed to one customer. Row, field and reason remain. Product
 * reports have no personal data.
 */
export async function redactReports(db: Db, clientId: string): Promise<void> {
  await db.query(
    `update feed_imports set report = jsonb_set(report, '{warnings}',
            (select jsonb_agg(w - 'value') from jsonb_array_elements(report -> 'warnings') w))
      where client_id = $1 and kind <> 'products' and jsonb_path_exists(report, '$.warnings[*].value')`,
    [clientId],
  );
}
