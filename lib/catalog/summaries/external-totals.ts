import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { displayedTotals, type External } from "@/lib/catalog/summaries/rules";
import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";

/** Imported totals of external reviews per product or family: all stored ones, and those the client displays. */
export async function externalTotals(
  db: Db,
  client: ClientRow,
  ids: string[],
  by: "product" | "family",
): Promise<Map<string, External>> {
  if (ids.length === 0) return new Map();
  const { pro, user, locales, countries } = displayedTotals(client);
  const id = by === "product" ? "e.product_id" : "p.family_id";
  const text = `
    select ${id} as id, sum(e.count) as count,
           coalesce(sum(e.count) filter (where points is not null), 0) as weight, coalesce(sum(points), 0) as points,
           coalesce(sum(e.count) filter (where e.kind = 'pro' and $3 and shown), 0) as "proShown",
           coalesce(sum(e.count) filter (where e.kind = 'user' and $4 and shown), 0) as "userShown"
      from external_totals e
      ${by === "product" ? "" : "join products p on p.client_id = e.client_id and p.id = e.product_id"}
      cross join lateral (
        select external_points(e.count, e.score_dist) as points,
               (cardinality($5::text[]) = 0 or e.locale = any($5)) and (cardinality($6::text[]) = 0 or e.country = any($6)) as shown) s
     where e.client_id = $1 and ${id} = any($2)
       and (select exists (select from external_totals where client_id = $1)) -- checked first: most clients have none
     group by 1`;
  const { rows } = await db.query<External & { id: string }>({
    name: statementName(text),
    text,
    values: [client.id, ids, pro, user, locales, countries],
  });
  return new Map(rows.map(({ id, ...totals }) => [id, totals]));
}
