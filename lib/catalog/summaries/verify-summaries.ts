import { type Db, pool } from "@/lib/platform/db/pool";

export type Difference = {
  client_id: string;
  kind: "product" | "family" | "seller" | "questions" | "facet" | "day";
  /**
   * What the counter belongs to; for `questions` and `facet`, including the product: `product p1 lang en`; for `day`, the
   * kind of review: `2026-11-27 web en 5 pending`.
   */
  id: string;
  kept: number[];
  counted: number[];
};

const dist = (score: string) => [1, 2, 3, 4, 5].map((step) => `count(*) filter (where ${score} = ${step})`).join(", ");
const storedCounters = "s.count, s.sum, s.c1, s.c2, s.c3, s.c4, s.c5";

/** Answered questions per product and family. */
const questions = `
  select coalesce(s.client_id, q.client_id) as client_id, 'questions' as kind, coalesce(s.id, q.id) as id,
         array[coalesce(s.kept, 0)] as kept, array[coalesce(q.counted, 0)] as counted
    from (select client_id, 'product ' || product_id as id, question_count as kept from product_summaries
          union all select client_id, 'family ' || family_id, question_count from family_summaries) s
    full join (select client_id, kind || ' ' || subject_id as id, count(*)::int as counted
                 from questions cross join lateral (values ('product', product_id), ('family', family_id)) o(kind, subject_id)
                where accepted and subject_id is not null and exists (
                  select from answers a where a.client_id = questions.client_id and a.question_id = questions.id and a.accepted)
                group by 1, 2) q on q.client_id = s.client_id and q.id = s.id
   where coalesce(s.kept, 0) <> coalesce(q.counted, 0) and ($1::text is null or coalesce(s.client_id, q.client_id) = $1)`;

/** Facet counts of accepted reviews. */
const facets = `
  select coalesce(f.client_id, r.client_id) as client_id, 'facet' as kind,
         concat_ws(' ', coalesce(f.kind, r.kind), coalesce(f.subject_id, r.subject_id), coalesce(f.facet, r.facet), coalesce(f.value, r.value)) as id,
         array[coalesce(f.count, 0)] as kept, array[coalesce(r.counted, 0)] as counted
    from (select * from review_facets where $1::text is null or client_id = $1) f
    full join (select r.client_id, o.kind, o.subject_id, x.facet, x.value, count(*)::int as counted
                 from reviews r cross join lateral facets_of(r.lang, r.images, r.verified_buyer, r.answers) x
                 cross join lateral (values ('product', r.product_id), ('family', r.family_id)) o(kind, subject_id)
                where r.accepted and o.subject_id is not null and ($1::text is null or r.client_id = $1)
                group by 1, 2, 3, 4, 5) r
      on r.client_id = f.client_id and r.kind = f.kind and r.subject_id = f.subject_id and r.facet = f.facet and r.value = f.value
   where coalesce(f.count, 0) <> coalesce(r.counted, 0)`;

/** Reviews by day, source, language, score and decision. */
const days = `
  select client_id, 'day' as kind,
         concat_ws(' ', date, source, coalesce(lang, '-'), score,
           case when accepted then 'accepted' when not accepted then 'rejected' else 'pending' end) as id,
         array[sum(kept)::int] as kept, array[sum(counted)::int] as counted
    from (select client_id, date, source, lang, score, accepted, count as kept, 0 as counted from review_counts
           where $1::text is null or client_id = $1
          union all
          select client_id, date, source, lang, score, accepted, 0, 1 from reviews where $1::text is null or client_id = $1) r
   group by client_id, date, source, lang, score, accepted having sum(kept) <> sum(counted)`;

/**
 * Recounts reviews and answered questions, and returns the stored counters that differ, for one client or all.
 * A single statement, so counters and rows come from one snapshot and concurrent writes do no harm.
 */
export async function verifySummaries(clientId?: string, db: Db = pool()): Promise<Difference[]> {
  const recount = (kind: Difference["kind"], table: string, reviews: string, id: string) => `
    select coalesce(s.client_id, r.client_id) as client_id, '${kind}' as kind, coalesce(s.id, r.id) as id,
           coalesce(s.kept, '{0,0,0,0,0,0,0}') as kept, coalesce(r.counted, '{0,0,0,0,0,0,0}') as counted
      from (select client_id, ${id} as id, array[${storedCounters}] as kept from ${table} s where $1::text is null or client_id = $1) s
      full join (select client_id, ${kind === "seller" ? "client_id" : id} as id, array[count(*), sum(score), ${dist("score")}]::int[] as counted
                   from ${reviews} where accepted and ${kind === "seller" ? "true" : `${id} is not null`} and ($1::text is null or client_id = $1) group by 1, 2) r
        on r.client_id = s.client_id and r.id = s.id
     where coalesce(s.kept, '{0,0,0,0,0,0,0}') <> coalesce(r.counted, '{0,0,0,0,0,0,0}')`;
  const { rows } = await db.query<Difference>(
    `${recount("product", "product_summaries", "reviews", "product_id")}
     union all ${recount("family", "family_summaries", "reviews", "family_id")}
     union all ${recount("seller", "seller_summaries", "seller_reviews", "client_id")}
     union all ${questions}
     union all ${facets}
     union all ${days}
     order by client_id, kind, id`,
    [clientId ?? null],
  );
  return rows;
}
