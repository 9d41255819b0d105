import type { Db } from "@/lib/platform/db/pool";
import { type OwnText, ownTextColumns, type TextPosition } from "@/lib/reviews/author-page/own-texts";
import { itemSaltSql } from "@/lib/reviews/decisions/item-reference";

/** Kinds of items whose author confirms an address. */
export type VerifiedKind = "review" | "question";

const tables: Record<VerifiedKind, string> = { review: "reviews", question: "questions" };

export type DueItem = {
  author_email: string;
  email_key: string;
  lang: string | null;
  /** of its history, for the receipt; null without one */
  salt: string | null;
};

/** An item whose author must be asked. Null if asked, confirmed, decided or deleted. `hold` locks the row. */
export async function selectDue(
  db: Db,
  clientId: string,
  kind: VerifiedKind,
  id: string,
  { hold = false }: { hold?: boolean } = {},
): Promise<DueItem | null> {
  const { rows } = await db.query<DueItem>(
    `select author_email, email_key, lang, ${itemSaltSql("$1", `'${kind}'`, "$2")} as salt from ${tables[kind]}
      where client_id = $1 and id = $2 and verification = 'due' and accepted is null and email_key is not null
      ${hold ? "for update" : ""}`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

/** The normalized address an item was submitted with. */
export async function selectEmailKey(db: Db, clientId: string, kind: VerifiedKind, id: string): Promise<string | null> {
  const { rows } = await db.query<{ email_key: string | null }>(
    `select email_key from ${tables[kind]} where client_id = $1 and id = $2`,
    [clientId, id],
  );
  return rows[0]?.email_key ?? null;
}

/** Marks all items of the address as asked for: one email's link shows all of them. */
export async function markMailed(db: Db, clientId: string, emailKey: string): Promise<void> {
  for (const table of Object.values(tables)) {
    await db.query(
      `with held as (
         select id from ${table} where client_id = $1 and email_key = $2 and verification = 'due' order by id for update)
       update ${table} t set verification = 'mailed' from held where t.client_id = $1 and t.id = held.id`,
      [clientId, emailKey],
    );
  }
}

type NewLink = { hash: string; kind: VerifiedKind; subjectId: string; emailKey: string; at: Date; expiresAt: Date };

export async function insertLink(db: Db, clientId: string, link: NewLink): Promise<void> {
  await db.query(
    `insert into action_links (client_id, hash, purpose, kind, subject_id, email_key, created_at, expires_at)
     values ($1, $2, 'verify_email', $3, $4, $5, $6, $7)`,
    [clientId, link.hash, link.kind, link.subjectId, link.emailKey, link.at, link.expiresAt],
  );
}

export type LinkRow = { email_key: string; expires_at: Date; used_at: Date | null };

/** Selects an emailed link; `hold` locks it until the transaction ends. */
export async function selectLink(
  db: Db,
  clientId: string,
  hash: string,
  { hold = false }: { hold?: boolean } = {},
): Promise<LinkRow | null> {
  const { rows } = await db.query<LinkRow>(
    `select email_key, expires_at, used_at from action_links
      where client_id = $1 and hash = $2 and purpose = 'verify_email' and email_key is not null ${hold ? "for update" : ""}`,
    [clientId, hash],
  );
  return rows[0] ?? null;
}

export async function markUsed(db: Db, clientId: string, hash: string, at: Date): Promise<void> {
  await db.query("update action_links set used_at = $3 where client_id = $1 and hash = $2", [clientId, hash, at]);
}

export type UnverifiedItem = OwnText & { kind: VerifiedKind };

/** Unverified items of an address, newest first, after a position. */
export async function selectUnverified(
  db: Db,
  clientId: string,
  emailKey: string,
  limit: number,
  after: TextPosition | null,
): Promise<UnverifiedItem[]> {
  const unverified = Object.entries(tables).map(
    ([kind, table]) =>
      `select ${ownTextColumns[kind as VerifiedKind]} from ${table} r where client_id = $1 and email_key = $2 and verification is not null`,
  );
  const { rows } = await db.query<UnverifiedItem>(
    `select * from (${unverified.join(" union all ")}) w
      where $4::timestamptz is null or (created_at, id) < ($4, $5)
      order by created_at desc, id desc limit $3`,
    [clientId, emailKey, limit, after?.created_at ?? null, after?.id ?? null],
  );
  return rows;
}

export type ConfirmedItem = { id: string; accepted: boolean | null };

/** Confirms those of the items that await verification under the address, with a history entry each. Returns them. */
export async function confirmItems(
  db: Db,
  clientId: string,
  kind: VerifiedKind,
  ids: string[],
  emailKey: string,
): Promise<ConfirmedItem[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<ConfirmedItem>(
    `with held as (
       select id from ${tables[kind]}
        where client_id = $1 and id = any($2) and email_key = $3 and verification is not null order by id for update),
     confirmed as (
       update ${tables[kind]} t set verified_email = true, verification = null from held
        where t.client_id = $1 and t.id = held.id returning t.id, t.accepted),
     history as (
       insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state)
       select $1, '${kind}', id, 'author', 'verified', state, state
         from (select id, case when accepted then 'accepted' when accepted = false then 'rejected' else 'pending' end as state
                 from confirmed order by id) c)
     select id, accepted from confirmed order by id`,
    [clientId, ids, emailKey],
  );
  return rows;
}
