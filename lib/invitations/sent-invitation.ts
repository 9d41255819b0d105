import type { Day } from "@/lib/invitations/days";
import type { InvitationItem } from "@/lib/invitations/render-invitation";
import { LINK_DAYS } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";

// The data of an invitation that its form needs.

export type InvitationItemRow = InvitationItem & {
  customer_id: string;
  delivery_date: Day | null;
  reviewable: boolean;
  cancelled: boolean;
  held: boolean;
  held_until: Day | null;
  product_deleted: boolean;
};

/** The items of an invitation in order; the order's own details take precedence over the catalog's. */
export async function selectInvitationItems(
  db: Db,
  clientId: string,
  invitationId: string,
): Promise<InvitationItemRow[]> {
  const { rows } = await db.query<InvitationItemRow>(
    `select ii.order_id, ii.item_id, ii.position, o.customer_id, coalesce(oi.family_id, p.family_id) as family_id,
            coalesce(oi.name, p.name) as name, coalesce(oi.category, p.category) as category,
            coalesce(oi.url, p.url) as url, coalesce(oi.image_url, p.image_url) as image_url,
            oi.delivery_date, oi.reviewable, oi.reviewable_set is false as cancelled, oi.held_at is not null and oi.held_until is null as held,
            case when oi.held_at is not null then oi.held_until end as held_until, coalesce(p.deleted, false) as product_deleted
       from invitation_items ii
       join order_items oi on oi.client_id = ii.client_id and oi.order_id = ii.order_id and oi.id = ii.item_id
       join orders o on o.client_id = ii.client_id and o.id = ii.order_id
       left join products p on p.client_id = ii.client_id and p.id = ii.item_id
      where ii.client_id = $1 and ii.invitation_id = $2 order by ii.position`,
    [clientId, invitationId],
  );
  return rows;
}

export type SentInvitation = {
  id: string;
  /** `seller`: seller-only */
  kind: "invitation" | "reminder" | "seller";
  customer_id: string | null;
  email: string;
  name: string | null;
  lang: string | null;
  expires_at: Date;
};

/** An invitation whose link is used. If it isn't marked as sent yet, it expires 180 days after its claim. */
export async function selectSentInvitation(db: Db, clientId: string, id: string): Promise<SentInvitation | null> {
  const { rows } = await db.query<SentInvitation>(
    `select id, kind, customer_id, email, name, lang, coalesce(expires_at, claimed_at + ${LINK_DAYS} * interval '1 day') as expires_at
       from invitations where client_id = $1 and id = $2 and email is not null`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

export async function markReviewed(db: Db, clientId: string, id: string, at: Date): Promise<void> {
  await db.query(
    "update invitations set reviewed_at = coalesce(reviewed_at, $3), updated_at = $3 where client_id = $1 and id = $2",
    [clientId, id, at],
  );
}
