import { meansSql } from "@/lib/moderation/rejections/means-sql";
import type { RejectionMeans } from "@/lib/moderation/rejections/statement";
import type { Db } from "@/lib/platform/db/pool";
import { hasAppealedSql, isAppealedSql, isAppealOpenSql } from "@/lib/reviews/decisions/appeals";
import { itemSaltSql } from "@/lib/reviews/decisions/item-reference";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

/** A public reply of the store, or an answer to a question. */
export type AuthorReply = { author: string; day: string; text: string; lang: string | null };

/** What an author submitted, with what became of it. */
export type AuthorItem = Omit<RejectionMeans, "canAppeal"> & {
  kind: ModeratedKind;
  id: string;
  author_email: string;
  product: string | null;
  score: number | null;
  lang: string | null;
  headline: string | null;
  words: string;
  created_at: Date;
  accepted: boolean | null;
  reject_reason: string | null;
  /** the author is to confirm the address first */
  unconfirmed: boolean;
  /** of its history, for the receipt; null without one */
  salt: string | null;
  replies: AuthorReply[];
  /** the author's appeal, while it counts */
  appeal: { text: string; is_open: boolean } | null;
  /** whether the author has appealed the rejection before */
  has_appealed: boolean;
};

const responsesSql = (kind: ModeratedKind) =>
  `(select coalesce(json_agg(json_build_object('author', s.author, 'day', s.date, 'text', s.extract, 'lang', s.lang) order by s.created_at, s.id), '[]')
      from responses s where s.client_id = $1 and s.kind = '${kind}' and s.subject_id = r.id)`;

const answersSql = `(select coalesce(json_agg(json_build_object('author', a.author, 'day', a.date, 'text', a.answer, 'lang', a.lang) order by a.created_at, a.id), '[]')
      from answers a where a.client_id = $1 and a.question_id = r.id and a.accepted)`;

const parts: Record<ModeratedKind, { table: string; columns: string; replies: string }> = {
  review: {
    table: "reviews",
    columns: `r.product_name as product, r.score, r.title as headline,
      concat_ws(E'\\n', nullif(r.extract, ''), nullif(array_to_string(r.pros, E'\\n'), ''), nullif(array_to_string(r.cons, E'\\n'), '')) as words,
      r.verification is not null as unconfirmed`,
    replies: responsesSql("review"),
  },
  seller_review: {
    table: "seller_reviews",
    columns: "null as product, r.score, r.title as headline, r.extract as words, false as unconfirmed",
    replies: responsesSql("seller_review"),
  },
  question: {
    table: "questions",
    columns: `r.product_name as product, null::smallint as score, r.question as headline, r.details as words,
      r.verification is not null as unconfirmed`,
    replies: answersSql,
  },
};

const itemsText = Object.entries(parts)
  .map(
    ([kind, { table, columns, replies }]) =>
      `(select '${kind}' as kind, r.id, r.author_email, r.lang, r.created_at, r.accepted, r.reject_reason, ${columns},
               ${itemSaltSql("$1", `'${kind}'`, "r.id")} as salt, ${replies} as replies,
               coalesce(e.by, 'system') as by, ${meansSql("$1", kind as ModeratedKind, "e.id")},
               (select jsonb_build_object('text', coalesce(a.texts->>'appeal', ''), 'is_open', ${isAppealOpenSql("$1", `'${kind}'`, "r.id")}) from moderation_events a
                 where a.client_id = $1 and a.kind = '${kind}' and a.subject_id = r.id and a.action = 'appealed'
                   and ${isAppealedSql("$1", `'${kind}'`, "r.id")} order by a.id desc limit 1) as appeal,
               ${hasAppealedSql("$1", `'${kind}'`, "r.id")} as has_appealed
          from ${table} r
          left join lateral (
            select e.id, case when e.action = 'imported' then 'import' else e.actor_kind end as by from moderation_events e
             where e.client_id = $1 and e.kind = '${kind}' and e.subject_id = r.id and e.to_state = 'rejected'
             order by e.id desc limit 1) e on r.accepted = false
         where r.client_id = $1 and r.email_key = $2 order by r.created_at desc, r.id desc limit $3)`,
  )
  .join(" union all ");

/** What was submitted with a normalized address, newest first. */
export async function selectAuthorItems(db: Db, clientId: string, email: string, limit: number): Promise<AuthorItem[]> {
  const { rows } = await db.query<AuthorItem>({
    name: "author-items",
    text: `select * from (${itemsText}) items order by created_at desc, id desc limit $3`,
    values: [clientId, email, limit],
  });
  return rows;
}

/** The newest text with this address: its language and the address as submitted. Null if there is none. */
export async function selectAuthor(
  db: Db,
  clientId: string,
  email: string,
): Promise<{ author_email: string; lang: string | null } | null> {
  const newest = Object.values(parts)
    .map(
      ({ table }) =>
        `(select author_email, lang, created_at from ${table} where client_id = $1 and email_key = $2 order by created_at desc limit 1)`,
    )
    .join(" union all ");
  const { rows } = await db.query<{ author_email: string; lang: string | null }>(
    `select author_email, lang from (${newest}) items order by created_at desc limit 1`,
    [clientId, email],
  );
  return rows[0] ?? null;
}
