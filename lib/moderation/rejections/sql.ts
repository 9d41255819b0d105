import type { Db } from "@/lib/platform/db/pool";
import { hasAppealedSql, isAppealedSql, isAppealOpenSql } from "@/lib/reviews/decisions/appeals";
import { itemSaltSql } from "@/lib/reviews/decisions/item-reference";
import { isNewRejectionSql, rejectionSql } from "@/lib/reviews/decisions/rejection-rows";
import type { ModeratedKind, RejectReason } from "@/lib/reviews/decisions/schema";
import { meansSql } from "./means-sql";
import type { RejectionMeans } from "./statement";

const tables: Record<ModeratedKind, { table: string; product: string; known: string }> = {
  review: { table: "reviews", product: "r.product_id", known: "r.verified_email or r.invitation_id is not null" },
  seller_review: { table: "seller_reviews", product: "null", known: "r.invitation_id is not null" },
  question: { table: "questions", product: "r.product_id", known: "r.verified_email" },
};

/** A rejected item whose author gets an email, and the number of the decision in its history. */
export type RejectedItem = Omit<RejectionMeans, "canAppeal"> & {
  /** it is the outcome of an appeal */
  appealed: boolean;
  /** the author can't appeal any more: also true if they edited the text since */
  has_appealed: boolean;
  author_email: string;
  lang: string | null;
  reason: RejectReason;
  decision: string;
  /** the catalog's product name, since submitted text isn't quoted */
  product: string | null;
  /** the address is known to be the author's: it received the invitation, or a link sent there was used */
  known: boolean;
  /** of its history, for the receipt; null without one */
  salt: string | null;
};

/** The item, locked until the transaction ends. Null if its author gets no email (any more). */
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
            (${known}) as known, ${itemSaltSql("$1", "$3", "$2")} as salt, e.by, coalesce(a.appealed, false) as appealed,
            ${hasAppealedSql("$1", "$3", "$2")} as has_appealed, ${meansSql("$1", kind, "e.id")}
       from ${table} r
       cross join lateral ${rejectionSql("$1", "$3", "$2")} e
       left join lateral (
         -- A later entry may only have changed the reason.
         select d.from_state = 'pending' and ${isAppealOpenSql("$1", "$3", "$2", "d.id")} as appealed
           from moderation_events d
          where d.client_id = $1 and d.kind = $3 and d.subject_id = $2 and ${isNewRejectionSql("d")}
          order by d.id desc limit 1) a on true
      where r.client_id = $1 and r.id = $2 and r.accepted = false and r.author_email is not null
        and (a.appealed or r.source in ('invitation', 'web', 'collect') and r.reject_reason is distinct from 'ignored') for update of r`,
    [clientId, id, kind],
  );
  return rows[0] ?? null;
}

/** An item that may be rejected: what the email needs, and whether one could be sent. */
export type RejectableItem = Omit<RejectionMeans, "by" | "canAppeal"> & {
  author_email: string | null;
  lang: string | null;
  product: string | null;
  /** submitted through our forms; only their authors get an email */
  from_here: boolean;
};

/** An item in any state, for a preview. Null if it doesn't exist. */
export async function selectRejectable(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  id: string,
): Promise<RejectableItem | null> {
  const { table, product } = tables[kind];
  const { rows } = await db.query<RejectableItem>(
    `select r.author_email, r.lang, r.source in ('invitation', 'web', 'collect') as from_here, ${meansSql("$1", kind, "null")},
            (select p.name from products p where p.client_id = $1 and p.id = ${product}) as product
       from ${table} r where r.client_id = $1 and r.id = $2`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

/** An answer. Its author is the store, so there is no email. */
export async function selectAnswer(db: Db, clientId: string, id: string): Promise<RejectableItem | null> {
  const { rows } = await db.query<RejectableItem>(
    `select null as author_email, lang, null as product, false as from_here, false as flagged, false as reported from answers where client_id = $1 and id = $2`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

/** How many of the newest rejections count for the most used reasons. */
const MAX_COUNTED_REJECTIONS = 1_000;

/** The reasons that people at a store rejected for at least `minUses` times in 90 days, most used first. */
export async function selectFrequentReasons(
  db: Db,
  clientId: string,
  { minUses, limit }: { minUses: number; limit: number },
): Promise<RejectReason[]> {
  const { rows } = await db.query<{ reason: RejectReason }>({
    name: "frequent-reject-reasons",
    text: `select reason from (
             select reason from moderation_events
              where client_id = $1 and to_state = 'rejected' and action = 'decided' and actor_kind = 'user'
                and at > now() - interval '90 days'
              order by at desc limit ${MAX_COUNTED_REJECTIONS}) newest
            where reason <> 'unspecified'
            group by reason having count(*) >= $2 order by count(*) desc, reason limit $3`,
    values: [clientId, minUses, limit],
  });
  return rows.map(({ reason }) => reason);
}

/** An item that was published after its author's appeal, and the number of the last appeal in its history. */
export type UpheldAppeal = { author_email: string; lang: string | null; salt: string | null; appeal: string };

/** The item, locked until the transaction ends. Null unless it is accepted and an appeal counts for it. */
export async function selectUpheldAppeal(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  id: string,
): Promise<UpheldAppeal | null> {
  const { rows } = await db.query<UpheldAppeal>(
    `select r.author_email, r.lang, ${itemSaltSql("$1", "$3", "$2")} as salt,
            (select max(id)::text from moderation_events
              where client_id = $1 and kind = $3 and subject_id = $2 and action = 'appealed') as appeal from ${tables[kind].table} r
      where r.client_id = $1 and r.id = $2 and r.accepted and r.author_email is not null
        and ${isAppealedSql("$1", "$3", "$2")} for update of r`,
    [clientId, id, kind],
  );
  return rows[0] ?? null;
}
