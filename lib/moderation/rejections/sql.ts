import type { Db } from "@/lib/platform/db/pool";
import type { ModeratedKind, RejectReason } from "@/lib/reviews/decisions/schema";

const tables: Record<ModeratedKind, { table: string; product: string; known: string }> = {
  review: { table: "reviews", product: "r.product_id", known: "r.verified_email or r.invitation_id is not null" },
  seller_review: { table: "seller_reviews", product: "null", known: "r.invitation_id is not null" },
  question: { table: "questions", product: "r.product_id", known: "r.verified_email" },
};

/** Something rejected whose author is to be told, and the number of the decision in its history. */
export type RejectedItem = {
  author_email: string;
  lang: string | null;
  reason: RejectReason;
  decision: string;
  /** the catalogue's name of the product: what was sent along is not repeated */
  product: string | null;
  /** the address is known to be the author's: the invitation went there, or a link mailed there was used */
  known: boolean;
};

/** The item as it stands, held for the caller's transaction; null where its author is not to be told (any more). */
export async function selectRejected(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  id: string,
): Promise<RejectedItem | null> {
  const { table, product, known } = tables[kind];
  const { rows } = await db.query<RejectedItem>(
    `select r.author_email, r.lang, r.reject_reason as reason, e.id::text as decision,
            (select p.name from products p where p.client_id = $1 and p.id = ${product}) as product,
            (${known}) as known
       from ${table} r
       cross join lateral (
         select max(id) as id from moderation_events
          where client_id = $1 and kind = $3 and subject_id = $2 and to_state = 'rejected') e
      where r.client_id = $1 and r.id = $2 and r.accepted = false and r.author_email is not null and e.id is not null
        and r.source in ('invitation', 'web', 'collect') and r.reject_reason is distinct from 'ignored' for update of r`,
    [clientId, id, kind],
  );
  return rows[0] ?? null;
}

/** Something that may be rejected: what its author's mail would be made of, and whether one could go. */
export type RejectableItem = {
  author_email: string | null;
  lang: string | null;
  product: string | null;
  /** written through a form of ours: only their authors are told */
  from_here: boolean;
};

/** An item in any state as its rejection would tell of it; null where there is none. */
export async function selectRejectable(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  id: string,
): Promise<RejectableItem | null> {
  const { table, product } = tables[kind];
  const { rows } = await db.query<RejectableItem>(
    `select r.author_email, r.lang, r.source in ('invitation', 'web', 'collect') as from_here,
            (select p.name from products p where p.client_id = $1 and p.id = ${product}) as product
       from ${table} r where r.client_id = $1 and r.id = $2`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

/** An answer, whose author is the shop itself. */
export async function selectAnswer(db: Db, clientId: string, id: string): Promise<RejectableItem | null> {
  const { rows } = await db.query<RejectableItem>(
    `select null as author_email, lang, null as product, false as from_here from answers where client_id = $1 and id = $2`,
    [clientId, id],
  );
  return rows[0] ?? null;
}
