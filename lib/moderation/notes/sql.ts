import { displayNameSql } from "@/lib/accounts/colleagues";
import type { Colleague } from "@/lib/accounts/schema";
import type { Db } from "@/lib/platform/db/pool";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";

export type NoteRow = {
  id: string;
  author: Colleague | null;
  text: string;
  mentions: Colleague[];
  created_at: Date;
  edited_at: Date | null;
};

/** An item's notes, oldest first. */
export async function selectNotes(
  db: Db,
  clientId: string,
  kind: DecidedKind,
  id: string,
  limit: number,
): Promise<NoteRow[]> {
  const { rows } = await db.query<NoteRow>({
    name: "moderation-notes",
    text: `select n.id, case when u.id is not null then jsonb_build_object('id', u.id, 'name', ${displayNameSql("u")}) end as author,
                  n.text, n.created_at, n.edited_at,
                  (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'name', ${displayNameSql("m")}) order by m.id), '[]')
                     from users m where m.id = any(n.mentions)) as mentions
             from moderation_notes n left join users u on u.id = n.user_id
            where n.client_id = $1 and n.kind = $2 and n.subject_id = $3
            order by n.created_at, n.id limit $4`,
    values: [clientId, kind, id, limit],
  });
  return rows;
}

/** The number of an item's notes, and the id of the same text by the same person within the last minute. */
export async function selectSiblings(
  db: Db,
  clientId: string,
  kind: DecidedKind,
  id: string,
  { userId, text }: { userId: string; text: string },
): Promise<{ count: number; repeated: string | null }> {
  const { rows } = await db.query<{ count: number; repeated: string | null }>(
    `select count(*)::int as count,
            max(id) filter (where user_id = $4 and text = $5 and created_at > now() - interval '1 min') as repeated
       from moderation_notes where client_id = $1 and kind = $2 and subject_id = $3`,
    [clientId, kind, id, userId, text],
  );
  return rows[0] as { count: number; repeated: string | null };
}

export type StoredNote = { user_id: string | null; text: string; mentions: string[] };

/** A note, locked. */
export async function lockNote(
  db: Db,
  clientId: string,
  kind: DecidedKind,
  id: string,
  note: string,
): Promise<StoredNote | null> {
  const { rows } = await db.query<StoredNote>(
    `select user_id, text, mentions from moderation_notes
      where client_id = $1 and kind = $2 and subject_id = $3 and id = $4 for update`,
    [clientId, kind, id, note],
  );
  return rows[0] ?? null;
}

export async function insertNote(
  db: Db,
  clientId: string,
  kind: DecidedKind,
  subjectId: string,
  { id, userId, text }: { id: string; userId: string; text: string },
): Promise<void> {
  await db.query(
    `insert into moderation_notes (client_id, id, kind, subject_id, user_id, text) values ($1, $2, $3, $4, $5, $6)`,
    [clientId, id, kind, subjectId, userId, text],
  );
}

export async function updateText(db: Db, clientId: string, id: string, text: string): Promise<void> {
  await db.query("update moderation_notes set text = $3, edited_at = now() where client_id = $1 and id = $2", [
    clientId,
    id,
    text,
  ]);
}

export async function updateMentions(db: Db, clientId: string, id: string, mentions: readonly string[]): Promise<void> {
  await db.query("update moderation_notes set mentions = $3 where client_id = $1 and id = $2", [
    clientId,
    id,
    mentions,
  ]);
}

export async function deleteNote(db: Db, clientId: string, id: string): Promise<void> {
  await db.query("delete from moderation_notes where client_id = $1 and id = $2", [clientId, id]);
}

/** The item itself, or for an answer or photo the one that it belongs to: each of these has a page of its own. */
export async function selectPageItem(
  db: Db,
  clientId: string,
  kind: DecidedKind,
  id: string,
): Promise<{ kind: string; id: string }> {
  const { rows } = await db.query<{ kind: string; id: string }>(
    `select 'question' as kind, question_id as id from answers where $2 = 'answer' and client_id = $1 and id = $3
     union all
     select subject_kind, subject_id from uploads
      where $2 = 'photo' and client_id = $1 and token = $3 and subject_kind in ('review', 'seller_review', 'question')`,
    [clientId, kind, id],
  );
  return rows[0] ?? { kind, id };
}
