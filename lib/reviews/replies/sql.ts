import type { PoolClient } from "pg";
import type { Actor } from "@/lib/accounts/actor";
import type { Db } from "@/lib/platform/db/pool";
import { withdrawEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { notYetAvailableSql } from "@/lib/platform/jobs/outbox/enqueue";
import { tables } from "@/lib/reviews/decisions/tables";
import type { RepliedKind } from "@/lib/reviews/replies/schema";

// Replies to reviews and seller reviews are rows of `responses`, those to questions rows of `answers`: the concepts are
// the same, the columns differ.

export type Subject = { accepted: boolean | null; lang: string | null };

/** Locks the subject before any of its replies, so that concurrent replies wait for each other. */
export async function lockSubject(
  db: PoolClient,
  clientId: string,
  kind: RepliedKind,
  id: string,
): Promise<Subject | null> {
  const { rows } = await db.query<Subject>(
    `select accepted, lang from ${tables[kind]} where client_id = $1 and id = $2 for update`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

const replyTable = (kind: RepliedKind) =>
  kind === "question"
    ? { table: "answers", text: "answer", of: "question_id = $2" }
    : { table: "responses", text: "extract", of: `kind = '${kind}' and subject_id = $2` };

/** The id of the same reply by the same person within the last minute. */
export async function selectDuplicateReply(
  db: PoolClient,
  clientId: string,
  kind: RepliedKind,
  subjectId: string,
  reply: { userId: string; text: string },
): Promise<string | null> {
  const { table, text, of } = replyTable(kind);
  const { rows } = await db.query<{ id: string }>(
    `select id from ${table} where client_id = $1 and ${of} and user_id = $3 and ${text} = $4
        and created_at > now() - interval '1 min' order by created_at desc limit 1`,
    [clientId, subjectId, reply.userId, reply.text],
  );
  return rows[0]?.id ?? null;
}

export type ReplyRow = { id: string; author: string; userId: string; text: string; lang: string; date: string };

export async function insertReply(
  db: PoolClient,
  clientId: string,
  kind: RepliedKind,
  subjectId: string,
  { id, author, userId, text, lang, date }: ReplyRow,
): Promise<void> {
  const columns =
    kind === "question"
      ? "(client_id, question_id, id, author, user_id, answer, lang, date, accepted, accepted_at)"
      : "(client_id, subject_id, id, author, user_id, extract, lang, date, kind)";
  const rest = kind === "question" ? "true, now()" : `'${kind}'`;
  await db.query(`insert into ${replyTable(kind).table} ${columns} values ($1, $2, $3, $4, $5, $6, $7, $8, ${rest})`, [
    clientId,
    subjectId,
    id,
    author,
    userId,
    text,
    lang,
    date,
  ]);
}

export type StoredReply = { text: string; lang: string | null; published: boolean };

export async function selectReply(
  db: PoolClient,
  clientId: string,
  kind: RepliedKind,
  subjectId: string,
  id: string,
): Promise<StoredReply | null> {
  const { table, text, of } = replyTable(kind);
  const { rows } = await db.query<StoredReply>(
    `select ${text} as text, lang, ${kind === "question" ? "coalesce(accepted, false)" : "true"} as published
       from ${table} where client_id = $1 and ${of} and id = $3 for update`,
    [clientId, subjectId, id],
  );
  return rows[0] ?? null;
}

export async function updateReply(
  db: PoolClient,
  clientId: string,
  kind: RepliedKind,
  subjectId: string,
  { id, text, lang }: { id: string; text: string; lang: string },
): Promise<void> {
  const { table, text: column, of } = replyTable(kind);
  await db.query(`update ${table} set ${column} = $4, lang = $5 where client_id = $1 and ${of} and id = $3`, [
    clientId,
    subjectId,
    id,
    text,
    lang,
  ]);
}

export async function deleteReply(
  db: PoolClient,
  clientId: string,
  kind: RepliedKind,
  subjectId: string,
  id: string,
): Promise<void> {
  const { table, of } = replyTable(kind);
  await db.query(`delete from ${table} where client_id = $1 and ${of} and id = $3`, [clientId, subjectId, id]);
}

/** Adds an entry to the subject's history; `before` is the reply's previous text. */
export async function insertHistory(
  db: PoolClient,
  clientId: string,
  kind: RepliedKind,
  subjectId: string,
  { actor, action, before = null }: { actor: Pick<Actor, "kind" | "id">; action: string; before?: string | null },
): Promise<void> {
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, texts)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      clientId,
      kind,
      subjectId,
      actor.kind,
      actor.id,
      action,
      before === null ? null : JSON.stringify({ reply: before }),
    ],
  );
}

/** Deletes unsent events of a reply. */
export async function dropPendingEvents(
  db: PoolClient,
  clientId: string,
  kind: RepliedKind,
  replyId: string,
): Promise<void> {
  await withdrawEvents(db, `${notYetAvailableSql} and client_id = $1 and name = $2 and data ->> $3 = $4`, [
    clientId,
    `${kind}/replied`,
    kind === "question" ? "answer_id" : "response_id",
    replyId,
  ]);
}

/** Numbers of published reviews among the newest `reach`, and of those without a reply. */
export async function selectUnreplied(
  db: Db,
  clientId: string,
  maxReviews: number,
): Promise<{ published: number; unreplied: number }> {
  const { rows } = await db.query<{ published: number; unreplied: number }>({
    name: "home-unreplied",
    text: `select count(*)::int as published, count(*) filter (where responses = '[]')::int as unreplied
             from (select accepted, responses from reviews where client_id = $1 order by created_at desc, id desc limit $2) r
            where accepted`,
    values: [clientId, maxReviews],
  });
  return rows[0] as { published: number; unreplied: number };
}
