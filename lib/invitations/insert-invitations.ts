import type { Day } from "@/lib/invitations/days";
import type { Db } from "@/lib/platform/db/pool";
import type { DueMail } from "./rules-sql";

export type NewInvitation = DueMail & { id: string };

/** `seller`: seller-only, on behalf of its items. */
type Kind = "invitation" | "seller";

/** Inserts claimed invitations with their items, each person's cooldown and the day's count. */
export async function insertInvitations(
  db: Db,
  clientId: string,
  day: Day,
  at: Date,
  invitations: NewInvitation[],
  { kind = "invitation", byHand = false }: { kind?: Kind; byHand?: boolean } = {},
): Promise<void> {
  const given = JSON.stringify(
    invitations.map(({ id, email_key, items, customer }) => ({ id, email_key, items, ...customer })),
  );
  await db.query(
    `with given as (
       select * from jsonb_to_recordset($4::jsonb)
         as g(id text, email_key text, customer_id text, email text, name text, lang text, hashes text[], email_hash text, items jsonb)
     ), written as (
       insert into invitations (client_id, id, kind, customer_id, email, email_key, name, lang, status, day, by_hand, claimed_at, created_at, updated_at)
       select $1, id, $5, customer_id, email, email_key, name, lang, 'claimed', $2::date, $6, $3, $3, $3 from given
       returning id
     ), asked as (
       insert into invitation_items (client_id, invitation_id, order_id, item_id, position)
       select $1, g.id, i.item->>'order_id', i.item->>'item_id', i.position
         from given g cross join lateral jsonb_array_elements(g.items) with ordinality as i(item, position)
     ), counted as (
       insert into send_days as d (client_id, day, sent) select $1, $2::date, count(*) from written having count(*) > 0
       on conflict (client_id, day) do update set sent = d.sent + excluded.sent
     )
     insert into quarantines as q (client_id, person_hash, last_day)
     select distinct $1, h.hash, $2::date from given g cross join lateral unnest(g.hashes || g.email_hash) as h(hash)
     on conflict (client_id, person_hash) do update set last_day = greatest(q.last_day, excluded.last_day), erased_until = null`,
    [clientId, day, at, given, kind, byHand],
  );
}
