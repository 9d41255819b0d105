import { pool } from "@/lib/db/pool";

export type Difference = {
  client_id: string;
  kind: "product" | "family" | "seller";
  id: string;
  kept: number[];
  counted: number[];
};

const dist = (score: string) => [1, 2, 3, 4, 5].map((step) => `count(*) filter (where ${score} = ${step})`).join(", ");
const kept = "s.count, s.sum, s.c1, s.c2, s.c3, s.c4, s.c5";

/**
 * Recounts accepted reviews and compares with the kept counters, of one client or all. One statement a kind, so that
 * counters and reviews are seen at the same moment; reviews that arrive meanwhile do no harm.
 */
export async function verifySummaries(clientId?: string): Promise<Difference[]> {
  const recount = (kind: Difference["kind"], table: string, reviews: string, id: string) => `
    select coalesce(s.client_id, r.client_id) as client_id, '${kind}' as kind, coalesce(s.id, r.id) as id,
           coalesce(s.kept, '{0,0,0,0,0,0,0}') as kept, coalesce(r.counted, '{0,0,0,0,0,0,0}') as counted
      from (select client_id, ${id} as id, array[${kept}] as kept from ${table} s where $1::text is null or client_id = $1) s
      full join (select client_id, ${kind === "seller" ? "client_id" : id} as id, array[count(*), sum(score), ${dist("score")}]::int[] as counted
                   from ${reviews} where accepted and ${kind === "seller" ? "true" : `${id} is not null`} and ($1::text is null or client_id = $1) group by 1, 2) r
        on r.client_id = s.client_id and r.id = s.id
     where coalesce(s.kept, '{0,0,0,0,0,0,0}') <> coalesce(r.counted, '{0,0,0,0,0,0,0}')`;
  const { rows } = await pool().query<Difference>(
    `${recount("product", "product_summaries", "reviews", "product_id")}
     union all ${recount("family", "family_summaries", "reviews", "family_id")}
     union all ${recount("seller", "seller_summaries", "seller_reviews", "client_id")}
     order by client_id, kind, id`,
    [clientId ?? null],
  );
  return rows;
}
