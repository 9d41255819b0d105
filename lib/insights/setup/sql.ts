import { usersWithAccessSql } from "@/lib/accounts/people";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Db } from "@/lib/platform/db/pool";
import type { SenderCheck, SetupChange, WidgetCheck } from "./schema";

/** An active product, for a test order. */
export async function selectSomeProduct(db: Db, clientId: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: "setup-some-product",
    text: `select id from (select id, deleted from products where client_id = $1 order by id limit 1000) p
            where not deleted order by id limit 1`,
    values: [clientId],
  });
  return rows[0]?.id ?? null;
}

export async function selectDismissed(db: Db, clientId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "setup-dismissed",
    text: "select from store_setup where client_id = $1 and dismissed_at is not null",
    values: [clientId],
  });
  return rowCount === 1;
}

export type SetupRow = {
  products: boolean;
  branding: boolean;
  ordered: boolean;
  order_id: string | null;
  order_is_test: boolean;
  /** of that order, once sent */
  invitation_id: string | null;
  stored_mail: string | null;
  opened: boolean;
  /** reviews that weren't imported */
  reviewed: boolean;
  published: boolean;
  imported: boolean;
  people: boolean;
  skipped: string[];
  dismissed: boolean;
  platform: string | null;
  sender_check: SenderCheck | null;
  widget_check: WidgetCheck | null;
  widget_found: boolean;
};

/**
 * Which of a store's first steps are done. Index look-ups, except for the counts of reviews by day: some rows per day
 * with reviews.
 */
export async function selectSetup(
  db: Db,
  client: Pick<ClientRow, "id" | "account_id">,
  testCustomer: string,
  actorId: string,
): Promise<SetupRow> {
  const sent = "sent_at is not null and (handed_at is null or taken_at is not null)";
  const latestOrder = (test: string) =>
    `(select id, ${test} as test from orders where client_id = $1 ${test === "true" ? "and customer_id = $3" : ""}
       order by created_at desc, id desc limit 1)`;
  const { rows } = await db.query<SetupRow>({
    name: "setup",
    text: `with latest as (
             select * from (${latestOrder("true")} union all ${latestOrder("false")}) o order by test desc limit 1),
           invitation as (
             select n.id, n.mail_id, n.opened_at, n.clicked_at from latest
               join invitation_items ii on ii.client_id = $1 and ii.order_id = latest.id
               join invitations n on n.client_id = $1 and n.id = ii.invitation_id
              where n.sent_at is not null and (n.handed_at is null or n.taken_at is not null)
              order by n.created_at desc, n.id desc limit 1),
           reviews_by as (
             select source, accepted from review_counts where client_id = $1 group by 1, 2 having sum(count) > 0
             union all
             select source, accepted from (select source, accepted from seller_reviews where client_id = $1
               order by created_at desc, id desc limit 200) s)
           select exists (select from products where client_id = $1) as products,
                  (c.contact_email is not null or c.contact_url is not null)
                    and (c.config ? 'logo_url' or c.config ? 'accent_color') as branding,
                  exists (select from latest) as ordered,
                  (select id from latest) as order_id,
                  coalesce((select test from latest), false) as order_is_test,
                  (select id from invitation) as invitation_id,
                  (select m.id from mails m join invitation n on n.mail_id = m.id
                    where m.client_id = $1 and m.status = 'kept') as stored_mail,
                  exists (select from invitation where coalesce(opened_at, clicked_at) is not null)
                    or exists (select from (select * from invitations where client_id = $1
                      order by created_at desc, id desc limit 200) i
                    where ${sent} and coalesce(opened_at, clicked_at) is not null) as opened,
                  exists (select from reviews_by where source <> 'import') as reviewed,
                  exists (select from reviews_by where source <> 'import' and accepted) as published,
                  exists (select from reviews_by where source = 'import') as imported,
                  exists (select from users u where u.id in ${usersWithAccessSql("$1", "$2")} and u.id <> $4
                    and u.role <> 'operator' and u.disabled_at is null) as people,
                  coalesce(s.skipped, '{}') as skipped, s.dismissed_at is not null as dismissed, s.platform,
                  s.sender_check, s.widget_check, s.widget_found_at is not null as widget_found
             from clients c left join store_setup s on s.client_id = c.id where c.id = $1`,
    values: [client.id, client.account_id, testCustomer, actorId],
  });
  return rows[0] as SetupRow;
}

/** Applies a change in one statement, so that concurrent ones of different parts are all kept. */
export async function updateSetup(db: Db, clientId: string, change: SetupChange): Promise<void> {
  await db.query({
    name: "setup-change",
    text: `insert into store_setup as s (client_id, skipped, dismissed_at, platform)
           values ($1, case when $2::text is null or $2 = $3::text then '{}' else array[$2] end, case when $4::boolean then now() end, $5)
           on conflict (client_id) do update set
             skipped = array(select distinct step from unnest(s.skipped || excluded.skipped) step where step is distinct from $3 order by 1),
             dismissed_at = case when $4 is null then s.dismissed_at when $4 then coalesce(s.dismissed_at, now()) end,
             platform = coalesce($5, s.platform),
             updated_at = now()`,
    values: [clientId, change.skip ?? null, change.unskip ?? null, change.dismissed ?? null, change.platform ?? null],
  });
}

export async function saveWidgetCheck(db: Db, clientId: string, check: WidgetCheck): Promise<void> {
  await db.query({
    name: "setup-widget",
    text: `insert into store_setup as s (client_id, widget_check, widget_found_at)
           values ($1, $2, case when $3 then now() end)
           on conflict (client_id) do update set widget_check = excluded.widget_check,
             widget_found_at = coalesce(s.widget_found_at, excluded.widget_found_at), updated_at = now()`,
    values: [clientId, JSON.stringify(check), check.outcome === "found"],
  });
}

export async function saveSenderCheck(db: Db, clientId: string, check: SenderCheck): Promise<void> {
  await db.query({
    name: "setup-sender",
    text: `insert into store_setup (client_id, sender_check) values ($1, $2)
           on conflict (client_id) do update set sender_check = excluded.sender_check, updated_at = now()`,
    values: [clientId, JSON.stringify(check)],
  });
}

/** Whether the widget can show a product: the catalog, deleted products included, or a review names it. */
export async function hasProduct(db: Db, clientId: string, id: string): Promise<boolean> {
  const { rows } = await db.query<{ known: boolean }>({
    name: "setup-product",
    text: `select exists (select from products where client_id = $1 and id = $2)
                  or exists (select from product_summaries where client_id = $1 and product_id = $2) as known`,
    values: [clientId, id],
  });
  return rows[0]?.known ?? false;
}
