import { joinProduct } from "@/lib/catalog/products/join-product";
import { type OrderWrite, orderParameters, orderWrites } from "@/lib/orders/order-writes";
import type { Db } from "@/lib/platform/db/pool";
import { asText, statementName } from "@/lib/platform/db/statement-name";
import { withDerivedEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { moderationDueSql } from "@/lib/reviews/decisions/moderation-due";
import {
  type ReviewColumns,
  reviewColumnTypes,
  type StoredReview,
  typedColumns,
} from "@/lib/reviews/reviews/review-row";

export const columnNames = Object.keys(reviewColumnTypes) as (keyof ReviewColumns)[];

// Families follow the catalog; a given name, URL or category takes precedence over the order's item and the catalog. An
// order's item without a family is its own, as in orders. Without an order, a review has only a given category.
const completions = {
  family_id: "coalesce(p.family_id, g.family_id, i.family_id, case when g.order_id is not null then g.product_id end)",
  product_name: "coalesce(g.product_name, i.name, p.name)",
  product_url: "coalesce(g.product_url, i.url, p.url)",
  category: "coalesce(g.category, case when g.order_id is not null then coalesce(i.category, p.category) end)",
  author_email: "coalesce(g.author_email, c.email)",
  email_key: "coalesce(g.email_key, c.email_key)",
} as const;
const known = `${joinProduct("g", "product_id")}
  left join order_items i on i.client_id = g.client_id and i.order_id = g.order_id and i.id = g.product_id
  left join customers c on c.client_id = g.client_id and c.id = g.customer_id`;
export type AddedDetails = Pick<ReviewColumns, keyof typeof completions>;

/** Details that the catalog, the order's item and the customer add to the columns of an input. */
export async function selectAddedDetails(db: Db, clientId: string, columns: ReviewColumns): Promise<AddedDetails> {
  const { rows } = await db.query<AddedDetails>({
    name: "complete-review",
    text: `select ${Object.entries(completions)
      .map(([name, value]) => `${value} as ${name}`)
      .join(", ")}
             from (select $1::text as client_id, r.* from json_to_record($2::json) as r(${typedColumns(reviewColumnTypes)})) g ${known}`,
    values: [clientId, JSON.stringify(columns)],
  });
  return rows[0]!;
}

/** A new review written elsewhere, as columns, and who posted it. */
export type ImportedReview = ReviewColumns & {
  client_id: string;
  id: string;
  source: "api" | "import";
  accepted: boolean | null;
  reject_reason: string | null;
  feedback_token: string;
  /** a UUID: the first of the row's history, which its receipt needs */
  salt: string;
  actor_kind: string;
  actor_id: string;
  /** The writer's clock, if it isn't the real one. */
  clock_at: string | null;
};

const importedTypes = {
  ...reviewColumnTypes,
  client_id: "text",
  id: "text",
  source: "text",
  accepted: "boolean",
  reject_reason: "text",
  feedback_token: "text",
  salt: "uuid",
  actor_kind: "text",
  actor_id: "text",
  clock_at: "timestamptz",
};
const ownNames = ["client_id", "id", "source", "accepted", "reject_reason", "feedback_token"] as const;
const writtenNames = [...columnNames, ...ownNames];
const writtenValue = (name: string): string => completions[name as keyof typeof completions] ?? `g.${name}`;

/** `withOrders`: also writes the orders of reviews that are stored. */
const insertText = (withOrders: boolean): string => `with given as (
    select * from json_to_recordset($1::json) as g(${typedColumns(importedTypes)})),
  stored as (
    insert into reviews (${writtenNames.join(", ")}, accepted_at, decided_at)
    select ${writtenNames.map(writtenValue).join(", ")}, case when g.accepted then now() end,
           case when g.accepted is not null then now() end
      from given g ${known}
     -- in order, so that batches with the same external ids wait for each other
     order by g.client_id, g.external_id
    on conflict (client_id, external_id) where external_id is not null do nothing
    returning client_id, id, body, images::text, accepted),
  brought as (
    select g.*, case when g.accepted then 'accepted' when not g.accepted then 'rejected' else 'pending' end as state
      from stored s join given g on g.client_id = s.client_id and g.id = s.id),
  history as (
    insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state, to_state, reason, salt)
    select client_id, 'review', id, actor_kind, actor_id, action, from_state, to_state, reason, event_salt from (
      select *, 1 as step, 'submitted' as action, null as from_state, 'pending' as to_state, null as reason,
             salt as event_salt from brought
      union all
      select *, 2, 'decided', 'pending', state, reject_reason, gen_random_uuid() from brought where state <> 'pending') e
     order by client_id, id, step),
  ${withDerivedEvents(`insert into outbox (client_id, name, data, clock_at)
    select client_id, name, jsonb_build_object('client_id', client_id, 'review_id', id) || more, clock_at from (
      select *, 1 as step, 'review/created' as name, '{}'::jsonb as more from brought
      union all
      select *, 2, 'review/decided', jsonb_build_object('from', 'pending', 'to', state, 'notify', false)
        from brought where state <> 'pending') e
     order by client_id, id, step`)},
  due as (${moderationDueSql("review", "select client_id, id, clock_at from brought where state = 'pending'")})
  ${withOrders ? `, ${orderWrites("$2", "$3", "join stored s on s.client_id = o.client_id and s.id = o.ref")}` : ""}
  select body, id, images, accepted from stored`;

/** A new review and its order. */
export type ReviewToImport = { review: ImportedReview; order: OrderWrite | null };
/** The columns of a review's JSON, as text. */
export type StoredReviewLine = [body: string, id: string, images: string, accepted: string | null];

/**
 * Stores reviews written elsewhere, each with its order, history and outbox events, in one all-or-nothing statement;
 * those whose external id exists are skipped. Returns a line for each stored review, in order, and null for the others.
 * No two may have the same customer or order.
 */
export async function insertImportedReviews(db: Db, all: ReviewToImport[]): Promise<(StoredReviewLine | null)[]> {
  const orders = all.flatMap(({ review, order }) => (order ? [{ ...order, ref: review.id }] : []));
  const text = insertText(orders.length > 0);
  const { rows } = await db.query<StoredReviewLine>({
    name: statementName(text),
    text,
    values: [JSON.stringify(all.map(({ review }) => review)), ...(orders.length > 0 ? orderParameters(orders) : [])],
    rowMode: "array",
    types: asText,
  });
  const lines = new Map(rows.map((line) => [line[1], line]));
  return all.map(({ review }) => lines.get(review.id) ?? null);
}

/** Identifies a review of a client by our id or the client's. */
export type ReviewKey = { id: string } | { external_id: string };

/** A stored review; `lock` locks it for the transaction. */
export async function selectStoredReview(
  db: Db,
  clientId: string,
  key: ReviewKey,
  lock: "for update" | "" = "",
): Promise<StoredReview | null> {
  const [[column, value] = ["id", ""]] = Object.entries(key);
  const { rows } = await db.query<StoredReview>({
    name: `stored-review-${column}${lock}`,
    text: `select id, images, accepted, reject_reason, ${columnNames.join(", ")} from reviews
            where client_id = $1 and ${column} = $2 ${lock}`,
    values: [clientId, value],
  });
  return rows[0] ?? null;
}

/** True if another review of the client has this external id. */
export async function isExternalIdTaken(db: Db, clientId: string, externalId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query("select from reviews where client_id = $1 and external_id = $2 and id <> $3", [
    clientId,
    externalId,
    id,
  ]);
  return rowCount !== 0;
}

/** Updates columns of a review. */
export async function updateColumns(
  db: Db,
  clientId: string,
  id: string,
  changes: Partial<StoredReview>,
): Promise<void> {
  const names = Object.keys(changes) as (keyof typeof changes)[];
  if (names.length === 0) return;
  await db.query(
    `update reviews set ${names.map((name, index) => `${name} = $${index + 3}`).join(", ")}
      where client_id = $1 and id = $2`,
    [
      clientId,
      id,
      ...names.map((name) => (name === "answers" || name === "images" ? JSON.stringify(changes[name]) : changes[name])),
    ],
  );
}
