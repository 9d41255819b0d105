import type { ClientRow } from "@/lib/clients/get-client";
import { statementName } from "@/lib/db/named";
import type { Db } from "@/lib/db/pool";
import { hidesUnverified, isOldestFirst } from "@/lib/queue/rules";
import type { QueueFilter } from "@/lib/queue/schema";

/** Key of a row in the queue's order, and whether the filters that no index serves let it through. */
export type QueueKey = { id: string; created_at: Date; hit: boolean };

const statusCondition = {
  pending: "accepted is null",
  accepted: "accepted",
  rejected: "accepted = false",
  all: "true",
} as const;

/**
 * The next `most` rows of the queue's order: an index gives them by status and time, so a page costs the same however
 * deep it lies. Source, language, buyer and photo have no index; they are judged on these rows only, which bounds what
 * one call may read. `person` is the search as a customer's id or address, null for those who may not see people.
 */
export async function selectQueueKeys(
  db: Db,
  client: Pick<ClientRow, "id" | "require_verification">,
  filter: QueueFilter,
  person: { id: string; email: string } | null,
  after: { time: string; id: string } | null,
  most: number,
): Promise<QueueKey[]> {
  const values: unknown[] = [client.id];
  const value = (given: unknown) => `$${values.push(given)}`;
  const where = ["client_id = $1", statusCondition[filter.status]];
  if (filter.reported) where.push("flag_count > 0");
  if (filter.unverified) where.push("verification is not null");
  const [direction, beyond] = isOldestFirst(filter) ? ["asc", ">"] : ["desc", "<"];
  if (after) where.push(`(created_at, id) ${beyond} (${value(after.time)}::timestamptz, ${value(after.id)})`);
  if (filter.q !== undefined) {
    const text = value(filter.q.trim());
    const ways = [`id = ${text}`, `order_id = ${text}`, `family_id = ${text}`];
    if (person) ways.push(`customer_id = ${value(person.id)}`, `email_key = ${value(person.email)}`);
    where.push(`(${ways.join(" or ")})`);
  }
  const hits = ["true"];
  if (filter.source) hits.push(`source = ${value(filter.source)}`);
  if (filter.lang) hits.push(`lang = ${value(filter.lang)}`);
  if (filter.verified) hits.push("verified_buyer");
  if (filter.photo) hits.push("images <> '[]'");
  if (hidesUnverified(client, filter)) hits.push("verification is null");
  const text = `select id, created_at, coalesce(${hits.join(" and ")}, false) as hit from reviews where ${where.join(" and ")}
    order by created_at ${direction}, id ${direction} limit ${value(most)}`;
  const { rows } = await db.query<QueueKey>({ name: statementName(text), text, values });
  return rows;
}

export type QueueRow = {
  body: string;
  id: string;
  images: string;
  accepted: string | null;
  created_at: Date;
  source: "invitation" | "web" | "collect" | "api" | "import";
  product_url: string | null;
  unverified: boolean;
  reports: number;
};

/** The rows themselves, in no order. */
export async function selectQueueRows(db: Db, clientId: string, ids: string[]): Promise<QueueRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<QueueRow>({
    name: "queue-rows",
    text: `select body, id, images::text, case when accepted then 't' end as accepted, created_at, source, product_url,
                  verification is not null as unverified, flag_count as reports
             from reviews where client_id = $1 and id = any($2)`,
    values: [clientId, ids],
  });
  return rows;
}

export type ContextRow = {
  order_id: string | null;
  order_created_at: Date | null;
  store_name: string | null;
  item_count: number;
  item_name: string | null;
  delivery_date: string | null;
  customer_id: string | null;
  customer_name: string | null;
  customer_email: string | null;
  invitation_kind: string | null;
  sent_at: Date | null;
  clicked_at: Date | null;
  product_id: string | null;
  product_name: string | null;
  product_page: string | null;
  review_count: number | null;
  score_sum: number | null;
};

/** Order, customer, invitation and product of one review, each where it is known. */
export async function selectContext(db: Db, clientId: string, id: string): Promise<ContextRow | null> {
  const { rows } = await db.query<ContextRow>({
    name: "queue-context",
    text: `select o.id as order_id, o.created_at as order_created_at, o.store_name,
                  (select count(*)::int from order_items n where n.client_id = o.client_id and n.order_id = o.id) as item_count,
                  coalesce(i.name, p.name) as item_name, i.delivery_date,
                  c.id as customer_id, c.name as customer_name, c.email as customer_email,
                  v.kind as invitation_kind, v.sent_at, v.clicked_at,
                  p.id as product_id, p.name as product_name, p.url as product_page, s.count as review_count, s.sum as score_sum
             from reviews r
             left join orders o on o.client_id = r.client_id and o.id = r.order_id
             left join order_items i on i.client_id = r.client_id and i.order_id = r.order_id and i.id = r.product_id
             left join customers c on c.client_id = r.client_id and c.id = r.customer_id
             left join invitations v on v.client_id = r.client_id and v.id = r.invitation_id
             left join products p on p.client_id = r.client_id and p.id = r.product_id
             left join product_summaries s on s.client_id = r.client_id and s.product_id = r.product_id
            where r.client_id = $1 and r.id = $2`,
    values: [clientId, id],
  });
  return rows[0] ?? null;
}

export type OtherRow = { id: string; product: string | null; score: number; date: string; accepted: boolean | null };

/** Up to five other reviews of the same person: by customer id, or by address. */
export async function selectOthers(db: Db, clientId: string, id: string): Promise<OtherRow[]> {
  const { rows } = await db.query<OtherRow>({
    name: "queue-others",
    text: `select o.id, o.product_name as product, o.score, o.date, o.accepted
             from reviews r join reviews o on o.client_id = r.client_id and o.id <> r.id
              and (o.customer_id = r.customer_id or o.email_key = r.email_key)
            where r.client_id = $1 and r.id = $2 order by o.created_at desc, o.id limit 5`,
    values: [clientId, id],
  });
  return rows;
}

export type HistoryRow = {
  at: Date;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  from_state: string | null;
  to_state: string | null;
  reason: string | null;
};

/** What happened to one review, oldest first, with the names of those who did it. */
export async function selectHistory(db: Db, clientId: string, id: string): Promise<HistoryRow[]> {
  const { rows } = await db.query<HistoryRow>({
    name: "queue-history",
    text: `select e.at, e.actor_kind, e.actor_id, coalesce(u.username, k.name) as actor_name, e.action, e.from_state, e.to_state, e.reason
             from moderation_events e
             left join users u on e.actor_kind = 'user' and u.id = e.actor_id
             left join api_keys k on e.actor_kind = 'key' and k.id = e.actor_id
            where e.client_id = $1 and e.kind = 'review' and e.subject_id = $2 order by e.id limit 200`,
    values: [clientId, id],
  });
  return rows;
}

/** Open reports of one review, newest first. */
export async function selectReports(
  db: Db,
  clientId: string,
  id: string,
): Promise<{ created_at: Date; comment: string | null }[]> {
  const { rows } = await db.query<{ created_at: Date; comment: string | null }>({
    name: "queue-reports",
    text: `select created_at, comment from flags where client_id = $1 and review_id = $2 and resolved_at is null
            order by created_at desc, id limit 50`,
    values: [clientId, id],
  });
  return rows;
}

/** Pending reviews, counted up to `most`, and when the oldest came. Reads the partial index of pending rows only. */
export async function selectWaiting(
  db: Db,
  client: Pick<ClientRow, "id" | "require_verification">,
  most: number,
): Promise<{ count: number; oldest_at: Date | null }> {
  const { rows } = await db.query<{ count: number; oldest_at: Date | null }>({
    name: "queue-waiting",
    text: `select count(*)::int as count, min(created_at) as oldest_at
             from (select created_at from reviews where client_id = $1 and accepted is null
                      and (not $3 or verification is null) order by created_at, id limit $2) w`,
    values: [client.id, most, client.require_verification],
  });
  return rows[0] ?? { count: 0, oldest_at: null };
}

export type WorkRow = { id: string; display_name: string; count: number; oldest_at: Date };

/** Clients with pending reviews in somebody's queue (see isInQueueOf in rules.ts), the longest wait first. */
export async function selectWork(
  db: Db,
  who: { operator: boolean; accountId: string | null; clients: string[] | null },
  most: number,
  limit: number,
): Promise<WorkRow[]> {
  const { rows } = await db.query<WorkRow>({
    name: "queue-work",
    text: `select c.id, c.display_name, w.count, w.oldest_at
             from clients c cross join lateral (
               select count(*)::int as count, min(created_at) as oldest_at
                 from (select created_at from reviews where client_id = c.id and accepted is null
                          and (not c.require_verification or verification is null) order by created_at, id limit $4) p) w
            where ($1::text[] is null or c.id = any($1))
              and case when c.own_moderation then not $2 or c.account_id = $3 else $2 end
              and w.count > 0
            order by w.oldest_at, c.id limit $5`,
    values: [who.clients, who.operator, who.accountId, most, limit],
  });
  return rows;
}
