import { meansSql } from "@/lib/moderation/rejections/means-sql";
import type { RejectionMeans } from "@/lib/moderation/rejections/statement";
import type { Db } from "@/lib/platform/db/pool";
import { type OwnText, ownTextColumns, type TextPosition } from "@/lib/reviews/author-page/own-texts";
import { hasAppealedSql, isAppealedSql, isAppealOpenSql } from "@/lib/reviews/decisions/appeals";
import { itemSaltSql } from "@/lib/reviews/decisions/item-reference";
import { rejectionSql } from "@/lib/reviews/decisions/rejection-rows";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import type { StoredImage } from "@/lib/reviews/uploads/schema";

/** A public reply of the store, or an answer to a question. */
export type AuthorReply = { author: string; day: string; text: string; lang: string | null };

/** What an author submitted, with what became of it. */
export type AuthorItem = OwnText &
  Omit<RejectionMeans, "canAppeal"> & {
    author_email: string;
    /** shown with the text */
    images: StoredImage[];
    /** hidden by the store, with the reason if the photo was rejected */
    hidden: (StoredImage & { reason: string | null })[];
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

const hiddenSql = (kind: ModeratedKind) =>
  `(select coalesce(jsonb_agg(jsonb_build_object('token', u.token, 'key', u.key, 'format', u.format, 'width', u.width, 'height', u.height,
             'sizes', u.sizes, 'reason', u.reject_reason) order by u.hidden_at, u.token), '[]')
      from uploads u where u.client_id = $1 and u.subject_kind = '${kind}' and u.subject_id = r.id and u.hidden_at is not null)`;

const parts: Record<ModeratedKind, { table: string; unconfirmed: string; replies: string }> = {
  review: {
    table: "reviews",
    unconfirmed: "r.verification is not null",
    replies: responsesSql("review"),
  },
  seller_review: {
    table: "seller_reviews",
    unconfirmed: "false",
    replies: responsesSql("seller_review"),
  },
  question: {
    table: "questions",
    unconfirmed: "r.verification is not null",
    replies: answersSql,
  },
};

const itemsText = Object.entries(parts)
  .map(
    ([kind, { table, unconfirmed, replies }]) =>
      `(select ${ownTextColumns[kind as ModeratedKind]}, r.author_email, r.accepted, r.reject_reason, ${unconfirmed} as unconfirmed,
               r.images, ${hiddenSql(kind as ModeratedKind)} as hidden,
               ${itemSaltSql("$1", `'${kind}'`, "r.id")} as salt, ${replies} as replies,
               coalesce(e.by, 'system') as by, ${meansSql("$1", kind as ModeratedKind, "e.id")},
               (select jsonb_build_object('text', coalesce(a.texts->>'appeal', ''), 'is_open', ${isAppealOpenSql("$1", `'${kind}'`, "r.id")}) from moderation_events a
                 where a.client_id = $1 and a.kind = '${kind}' and a.subject_id = r.id and a.action = 'appealed'
                   and ${isAppealedSql("$1", `'${kind}'`, "r.id")} order by a.id desc limit 1) as appeal,
               ${hasAppealedSql("$1", `'${kind}'`, "r.id")} as has_appealed
          from (select * from ${table}
                 where client_id = $1 and email_key = $2 and ($4::timestamptz is null or (created_at, id) < ($4, $5))
                 order by created_at desc, id desc limit $3) r
          left join lateral ${rejectionSql("$1", `'${kind}'`, "r.id")} e on r.accepted = false)`,
  )
  .join(" union all ");

/** What was submitted with a normalized address, newest first, after a position. */
export async function selectAuthorItems(
  db: Db,
  clientId: string,
  email: string,
  limit: number,
  after: TextPosition | null,
): Promise<AuthorItem[]> {
  const { rows } = await db.query<AuthorItem>({
    name: "author-items",
    text: `select * from (${itemsText}) items order by created_at desc, id desc limit $3`,
    values: [clientId, email, limit, after?.created_at ?? null, after?.id ?? null],
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
