import { displayNameSql } from "@/lib/accounts/colleagues";
import type { Colleague } from "@/lib/accounts/schema";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { hasReasonIndex, hidesUnverified, isOldestFirst, kindsOf } from "@/lib/moderation/queue/rules";
import type { QueueFilter, QueueItem } from "@/lib/moderation/queue/schema";
import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";
import { isAppealedSql } from "@/lib/reviews/decisions/appeals";
import { appealedRejectionSql } from "@/lib/reviews/decisions/rejection-rows";
import { type DecidedKind, decidedKinds, type ModeratedKind, type TextKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";

/** A row's key in the queue's order. */
export type QueueKey = { kind: DecidedKind; id: string; created_at: Date };

const statusCondition = {
  pending: "accepted is null",
  accepted: "accepted",
  rejected: "accepted = false",
  all: "true",
} as const;

/** Columns a search matches exactly, besides an item's id and its author's address and customer id. */
const searchColumns: Record<DecidedKind, string[]> = {
  review: ["order_id", "family_id"],
  seller_review: ["order_id"],
  question: ["family_id", "product_id"],
  answer: ["question_id"],
  photo: [],
};

/** All text of an item, for the keyword filter. */
const fullTextSql: Record<DecidedKind, string> = {
  review: "concat_ws(' ', title, extract, array_to_string(pros, ' '), array_to_string(cons, ' '))",
  seller_review: "concat_ws(' ', title, extract)",
  question: "concat_ws(' ', question, details)",
  answer: "answer",
  photo: "null",
};

/** The condition that an item has text. */
const hasTextSql: Record<DecidedKind, string> = {
  review: "extract <> ''",
  seller_review: "extract <> ''",
  question: "true",
  answer: "true",
  photo: "false",
};

/** The condition that the store hasn't replied. */
const unrepliedSql: Record<DecidedKind, string> = {
  review: "responses = '[]'",
  seller_review: "responses = '[]'",
  question: "answer_count = 0",
  answer: "false",
  photo: "false",
};

/** The condition that a row is about a parameter's product or family. */
const aboutProductSql = (kind: DecidedKind, product: string): string => {
  const named = `(product_id = ${product} or family_id = ${product})`;
  if (kind !== "photo") return named;
  const subjectMatches = (of: "review" | "question") =>
    `exists (select from ${tables[of]} s where t.subject_kind = '${of}' and s.client_id = t.client_id and s.id = t.subject_id and ${named})`;
  return `(${subjectMatches("review")} or ${subjectMatches("question")})`;
};

type QueuePosition = { time: string; id: string };

/**
 * Reads the next `scanned` rows of the queue for all kinds the filter can match, and returns the first `hits` of those
 * that match. `edge`: the last row read, null if there are no more. Each kind has an index by status and time, so a page
 * costs the same at any depth. Source, language, buyer and photo have no index; they are checked only on these rows,
 * which bounds the read. `person` is the searched customer id or address, null for people who may not see personal data.
 * `userId` is the person who asks, for the filter by assignment.
 */
export async function selectQueueKeys(
  db: Db,
  client: Pick<ClientRow, "id" | "require_verification">,
  filter: QueueFilter,
  userId: string,
  person: { id: string; email: string } | null,
  after: QueuePosition | null,
  limits: { scanned: number; hits: number },
): Promise<{ hits: QueueKey[]; edge: QueueKey | null }> {
  const kinds = kindsOf(filter);
  if (kinds.length === 0) return { hits: [], edge: null };
  const values: unknown[] = [];
  const places = new Map<string, string>();
  /** A value's placeholder; values that no kind uses aren't in the statement. */
  const value = (name: string, given: unknown): string => {
    const place = places.get(name) ?? `$${values.push(given)}`;
    places.set(name, place);
    return place;
  };
  const [direction, beyond] = isOldestFirst(filter) ? ["asc", ">"] : ["desc", "<"];
  const order = `order by created_at ${direction}, id ${direction} limit ${value("most", limits.scanned)}`;
  const parts = kinds.map((kind) => {
    const where = [`client_id = ${value("client", client.id)}`, statusCondition[filter.status]];
    if (filter.reported) where.push("flag_count > 0");
    if (after)
      where.push(`(created_at, id) ${beyond} (${value("time", after.time)}::timestamptz, ${value("id", after.id)})`);
    if (filter.age) where.push(`created_at < now() - interval '1 ${filter.age}'`);
    if (filter.q !== undefined) {
      const q = value("q", filter.q.trim());
      const matches = ["id", ...searchColumns[kind]].map((column) => `${column} = ${q}`);
      // In the column order of the index of photos by subject.
      if (kind === "photo")
        matches.push(`(subject_kind in ('review', 'seller_review', 'question') and subject_id = ${q})`);
      if (person && kind !== "answer" && kind !== "photo")
        matches.push(`customer_id = ${value("customer", person.id)}`, `email_key = ${value("email", person.email)}`);
      where.push(`(${matches.join(" or ")})`);
    }
    // One's own are few, so an array of their ids finds the rows, whatever their place in the queue.
    if (filter.assigned === "me")
      where.push(`id = any(array(select a.subject_id from item_assignments a
        where a.client_id = ${value("client", client.id)} and a.kind = '${kind}' and a.user_id = ${value("user", userId)}))`);
    const hits = ["true"];
    // Not `exists`, for which PostgreSQL may read all assignments once.
    if (filter.assigned === "none")
      hits.push(`(select a.user_id from item_assignments a
        where a.client_id = t.client_id and a.kind = '${kind}' and a.subject_id = t.id) is null`);
    if (filter.source) hits.push(kind === "answer" ? "false" : `source = ${value("source", filter.source)}`);
    if (filter.lang) hits.push(`lang = ${value("lang", filter.lang)}`);
    if (filter.verified) hits.push("verified_buyer");
    if (filter.text) hits.push(hasTextSql[kind]);
    if (filter.reason)
      (hasReasonIndex(filter, kind) ? where : hits).push(`reject_reason = ${value("reason", filter.reason)}`);
    if (filter.product) hits.push(aboutProductSql(kind, value("product", filter.product.trim())));
    if (filter.brand)
      // Not `exists`, for which PostgreSQL may read the whole catalog once.
      hits.push(`(select lower(p.brand) from products p where p.client_id = t.client_id and p.id = t.product_id)
        = lower(${value("brand", filter.brand.trim())})`);
    if (filter.words)
      hits.push(`position(lower(${value("words", filter.words.trim())}) in lower(${fullTextSql[kind]})) > 0`);
    if (filter.photo && kind !== "photo") hits.push(kind === "answer" ? "false" : "images <> '[]'");
    // Pending items of unconfirmed addresses have an index, and published questions without an answer.
    if (filter.unverified) (filter.status === "pending" ? where : hits).push("verification is not null");
    if (filter.unreplied) (kind === "question" && filter.status === "accepted" ? where : hits).push(unrepliedSql[kind]);
    if (hidesUnverified(client, filter) && (kind === "review" || kind === "question"))
      hits.push("verification is null");
    return `(select '${kind}' as kind, id, created_at, coalesce(${hits.join(" and ")}, false) as hit
      from ${tables[kind]} t where ${where.join(" and ")} ${order})`;
  });
  const scanned =
    parts.length === 1 ? (parts[0] as string) : `(select * from (${parts.join(" union all ")}) k ${order})`;
  const text = `select kind, id, created_at, hit and nth <= ${value("hits", limits.hits)} as hit, at = ${value("most", limits.scanned)} as edge
    from (select s.*, count(*) filter (where hit) over w as nth, row_number() over w as at
            from ${scanned} s window w as (order by created_at ${direction}, id ${direction})) n
    where hit and nth <= ${value("hits", limits.hits)} or at = ${value("most", limits.scanned)}
    order by created_at ${direction}, id ${direction}`;
  const { rows } = await db.query<QueueKey & { hit: boolean; edge: boolean }>({
    name: statementName(text),
    text,
    values,
  });
  return { hits: rows.filter(({ hit }) => hit), edge: rows.find(({ edge }) => edge) ?? null };
}

/** A row of the queue. `body` is its stored public JSON, for a photo that of its item; an answer has none. */
export type QueueRow = {
  kind: DecidedKind;
  id: string;
  body: string | null;
  /** the product's name: the catalog's, else the item's own */
  product: string | null;
  images: string;
  accepted: boolean | null;
  created_at: Date;
  source: QueueItem["source"];
  product_url: string | null;
  unverified: boolean;
  verified_email: boolean;
  reject_reason: string | null;
  customer_id: string | null;
  reports: number;
  replies: number;
  revision: string;
  assigned: Colleague | null;
  appeal: { at: string; text: string; rejected_by: string | null } | null;
  answer: {
    question_id: string;
    question: string;
    product: string | null;
    author: string;
    date: string;
    text: string;
    lang: string | null;
    updated_at: string;
  } | null;
  /** for a photo: the item it was uploaded with */
  came_with: { kind: ModeratedKind; id: string } | null;
};

/** A row's product name: the catalog's, else the row's own. The portal always shows this name. */
const nameOf = (row: string) =>
  `coalesce((select name from products where client_id = ${row}.client_id and id = ${row}.product_id), ${row}.product_name)`;
/** The appeal for which an item is pending. */
const appealSql = (kind: DecidedKind): string =>
  kind === "answer" || kind === "photo"
    ? "null::jsonb"
    : `(select jsonb_build_object('at', p.at, 'text', coalesce(p.texts->>'appeal', ''), 'rejected_by', (
                     select ${displayNameSql("u")} from moderation_events d join users u on u.id = d.actor_id
                      where d.actor_kind = 'user' and d.id = ${appealedRejectionSql("p.client_id", "p.kind", "p.subject_id", "p.id")}))
                     from moderation_events p
                    where r.accepted is null and p.client_id = r.client_id and p.kind = '${kind}' and p.subject_id = r.id and p.action = 'appealed'
                      and ${isAppealedSql("r.client_id", `'${kind}'`, "r.id")}
                    order by p.id desc limit 1)`;
const commonColumns = (kind: DecidedKind) => `r.id, r.accepted, r.created_at, r.reject_reason,
                  (select coalesce(max(e.id), 0)::text from moderation_events e where e.client_id = r.client_id
                      and e.kind = '${kind}' and e.subject_id = r.id and e.action = 'edited') as revision,
                  (select jsonb_build_object('id', u.id, 'name', ${displayNameSql("u")}) from item_assignments a
                     join users u on u.id = a.user_id
                    where a.client_id = r.client_id and a.kind = '${kind}' and a.subject_id = r.id) as assigned,
                  ${appealSql(kind)} as appeal`;
const ownRow = (kind: TextKind) => `'${kind}' as kind, ${commonColumns(kind)}, null::jsonb as came_with`;
/** The item of one kind that a photo was uploaded with. */
const subjectOf = (kind: ModeratedKind, url: string) =>
  `select body, source, ${kind === "seller_review" ? "null" : nameOf(tables[kind])} as product, ${url} as product_url, verified_email, customer_id from ${tables[kind]}
    where r.subject_kind = '${kind}' and client_id = r.client_id and id = r.subject_id`;
const rowsText: Record<DecidedKind, string> = {
  review: `select ${ownRow("review")}, r.body, ${nameOf("r")} as product, r.images::text, r.source, r.product_url, r.verification is not null as unverified,
                  r.verified_email, r.customer_id, r.flag_count as reports, jsonb_array_length(r.responses) as replies, null::jsonb as answer
             from reviews r`,
  seller_review: `select ${ownRow("seller_review")}, r.body, null as product, r.images::text, r.source, null as product_url, false as unverified,
                  r.verified_email, r.customer_id, 0 as reports, jsonb_array_length(r.responses) as replies, null::jsonb as answer
             from seller_reviews r`,
  question: `select ${ownRow("question")}, r.body, ${nameOf("r")} as product, r.images::text, r.source, r.product_url, r.verification is not null as unverified,
                  r.verified_email, r.customer_id, 0 as reports, r.answer_count as replies, null::jsonb as answer
             from questions r`,
  answer: `select ${ownRow("answer")}, null as body, null as product, '[]' as images, 'portal' as source, q.product_url, false as unverified,
                  false as verified_email, null as customer_id, 0 as reports, 0 as replies,
                  jsonb_build_object('question_id', q.id, 'question', q.question, 'product', ${nameOf("q")}, 'author', r.author,
                    'date', to_char(r.date, 'YYYY-MM-DD'), 'text', r.answer, 'lang', r.lang, 'updated_at', json_time(r.updated_at)::jsonb) as answer
             from answers r join questions q on q.client_id = r.client_id and q.id = r.question_id`,
  photo: `select 'photo' as kind, ${commonColumns("photo")}, jsonb_build_object('kind', r.subject_kind, 'id', r.subject_id) as came_with, s.body, s.product,
                  jsonb_build_array(jsonb_build_object('token', r.id, 'key', r.key, 'format', r.format, 'width', r.width,
                    'height', r.height, 'sizes', r.sizes))::text as images,
                  s.source, s.product_url, false as unverified, s.verified_email, s.customer_id, 0 as reports, 0 as replies, null::jsonb as answer
             from photos r cross join lateral (
               ${subjectOf("review", "product_url")} union all ${subjectOf("seller_review", "null")}
               union all ${subjectOf("question", "product_url")}) s`,
};

/** The rows of one kind, unsorted. */
export async function selectQueueRows(db: Db, clientId: string, kind: DecidedKind, ids: string[]): Promise<QueueRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<QueueRow>({
    name: `queue-rows-${kind}`,
    text: `${rowsText[kind]} where r.client_id = $1 and r.id = any($2)`,
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
  scores: (number | null)[];
};

/** Columns with a kind's order, product and invitation, or null. */
const origins: Record<
  TextKind,
  {
    from: string;
    order: string;
    product: string;
    invitation: string;
    customer: string;
  }
> = {
  review: {
    from: "reviews r",
    order: "r.order_id",
    product: "r.product_id",
    invitation: "r.invitation_id",
    customer: "r.customer_id",
  },
  seller_review: {
    from: "seller_reviews r",
    order: "r.order_id",
    product: "null",
    invitation: "r.invitation_id",
    customer: "r.customer_id",
  },
  question: {
    from: "questions r",
    order: "null",
    product: "r.product_id",
    invitation: "null",
    customer: "r.customer_id",
  },
  answer: {
    from: "answers r join questions q on q.client_id = r.client_id and q.id = r.question_id",
    order: "null",
    product: "q.product_id",
    invitation: "null",
    customer: "null",
  },
};

/** An item's order, customer, invitation and product, where known. */
export async function selectContext(db: Db, clientId: string, kind: TextKind, id: string): Promise<ContextRow | null> {
  const { from, order, product, invitation, customer } = origins[kind];
  const { rows } = await db.query<ContextRow>({
    name: `queue-context-${kind}`,
    text: `select o.id as order_id, o.created_at as order_created_at, o.store_name,
                  (select count(*)::int from order_items n where n.client_id = o.client_id and n.order_id = o.id) as item_count,
                  coalesce(p.name, i.name) as item_name, i.delivery_date,
                  c.id as customer_id, c.name as customer_name, c.email as customer_email,
                  v.kind as invitation_kind, v.sent_at, v.clicked_at,
                  p.id as product_id, p.name as product_name, p.url as product_page, s.count as review_count, s.sum as score_sum,
                  array[s.c1, s.c2, s.c3, s.c4, s.c5] as scores
             from ${from}
             left join orders o on o.client_id = r.client_id and o.id = ${order}
             left join order_items i on i.client_id = r.client_id and i.order_id = ${order} and i.id = ${product}
             left join customers c on c.client_id = r.client_id and c.id = ${customer}
             left join invitations v on v.client_id = r.client_id and v.id = ${invitation}
             left join products p on p.client_id = r.client_id and p.id = ${product}
             left join product_summaries s on s.client_id = r.client_id and s.product_id = ${product}
            where r.client_id = $1 and r.id = $2`,
    values: [clientId, id],
  });
  return rows[0] ?? null;
}

export type OtherItemRow = {
  kind: TextKind;
  id: string;
  title: string | null;
  score: number | null;
  date: string;
  accepted: boolean | null;
};

const written: [kind: TextKind, title: string, score: string][] = [
  ["review", nameOf("o"), "o.score"],
  ["seller_review", "null", "o.score"],
  ["question", "o.question", "null::smallint"],
];

/** Up to five other items by the same person, by customer id or email address. Empty for answers. */
export async function selectOtherItems(db: Db, clientId: string, kind: TextKind, id: string): Promise<OtherItemRow[]> {
  if (kind === "answer") return [];
  const parts = written.map(
    ([
      other,
      title,
      score,
    ]) => `(select '${other}' as kind, o.id, ${title} as title, ${score} as score, o.date, o.accepted, o.created_at
       from r join ${tables[other]} o on o.client_id = $1 ${other === kind ? "and o.id <> $2" : ""}
        and (o.customer_id = r.customer_id or o.email_key = r.email_key)
      order by o.created_at desc, o.id limit 5)`,
  );
  const { rows } = await db.query<OtherItemRow>({
    name: `queue-others-${kind}`,
    text: `with r as (select customer_id, email_key from ${tables[kind]} where client_id = $1 and id = $2)
           select kind, id, title, score, date, accepted from (${parts.join(" union all ")}) w
            order by created_at desc, id limit 5`,
    values: [clientId, id],
  });
  return rows;
}

export type HistoryRow = {
  at: Date;
  kind: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  from_state: string | null;
  to_state: string | null;
  reason: string | null;
};

/** An item's history, including a question's answers, oldest first, with the names of those who acted. */
export async function selectHistory(db: Db, clientId: string, kind: DecidedKind, id: string): Promise<HistoryRow[]> {
  const { rows } = await db.query<HistoryRow>({
    name: `queue-history-${kind}`,
    text: `select e.at, e.kind, e.actor_kind, e.actor_id, coalesce(u.username, k.name) as actor_name, e.action, e.from_state, e.to_state, e.reason
             from moderation_events e
             left join users u on e.actor_kind = 'user' and u.id = e.actor_id
             left join api_keys k on e.actor_kind = 'key' and k.id = e.actor_id
            where e.client_id = $1 and (e.kind = '${kind}' and e.subject_id = $2
              ${
                kind === "question"
                  ? "or e.kind = 'answer' and e.subject_id in (select id from answers where client_id = $1 and question_id = $2)"
                  : ""
              })
            order by e.id limit 200`,
    values: [clientId, id],
  });
  return rows;
}

export type ReplyRow = {
  id: string;
  author: string;
  date: string;
  text: string;
  lang: string | null;
  accepted: boolean | null;
  reject_reason: string | null;
  mailed_at: Date | null;
};

/** The store's replies to an item, or a question's answers in any state, oldest first. */
export async function selectReplies(db: Db, clientId: string, kind: TextKind, id: string): Promise<ReplyRow[]> {
  if (kind === "answer") return [];
  const text =
    kind === "question"
      ? `select id, author, date, answer as text, lang, accepted, reject_reason, mailed_at from answers
          where client_id = $1 and question_id = $2 order by created_at, id limit 50`
      : `select id, author, date, extract as text, lang, true as accepted, null as reject_reason, null::timestamptz as mailed_at
           from responses where client_id = $1 and kind = '${kind}' and subject_id = $2 order by created_at, id limit 50`;
  const { rows } = await db.query<ReplyRow>({ name: `queue-replies-${kind}`, text, values: [clientId, id] });
  return rows;
}

/** Open reports of a review, newest first. */
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

export type PendingCountsRow = {
  counts: Record<DecidedKind, number>;
  oldest_at: Date | null;
  reported: number;
  unanswered: number;
};

/** The condition that an item is pending; `confirms` is SQL for whether the client verifies addresses. */
const pendingCondition = (kind: DecidedKind, confirms: string): string =>
  `accepted is null${kind === "review" || kind === "question" ? ` and (not ${confirms} or verification is null)` : ""}`;

/**
 * Pending items per kind, counted up to `limit`, with the oldest date, reported reviews and unanswered questions. Reads
 * only partial indexes.
 */
export async function selectPendingCounts(
  db: Db,
  client: Pick<ClientRow, "id" | "require_verification">,
  limit: number,
): Promise<PendingCountsRow> {
  const counted = (kind: DecidedKind) =>
    `(select count(*)::int as count, min(created_at) as oldest from (
        select created_at from ${tables[kind]} where client_id = $1 and ${pendingCondition(kind, "$3::boolean")}
         order by created_at, id limit $2) p) ${kind}`;
  const upTo = (table: string, condition: string) =>
    `(select count(*)::int from (select from ${table} where client_id = $1 and ${condition} order by created_at, id limit $2) p)`;
  const { rows } = await db.query<PendingCountsRow>({
    name: "queue-pending-counts",
    text: `select jsonb_build_object(${decidedKinds.map((kind) => `'${kind}', ${kind}.count`).join(", ")}) as counts,
                  least(${decidedKinds.map((kind) => `${kind}.oldest`).join(", ")}) as oldest_at,
                  ${upTo("reviews", "accepted and flag_count > 0")} as reported,
                  ${upTo("questions", "accepted and answer_count = 0")} as unanswered
             from ${decidedKinds.map(counted).join(", ")}`,
    values: [client.id, limit, client.require_verification],
  });
  return rows[0] as PendingCountsRow;
}

/**
 * Clients with an item that has been pending since before a moment, without test stores that operators moderate. Reads only
 * partial indexes.
 */
export async function selectOverdueClients(
  db: Db,
  clientIds: string[] | null,
  before: Date,
): Promise<{ id: string; own_moderation: boolean }[]> {
  const isOverdue = decidedKinds.map(
    (kind) =>
      `exists (select from ${tables[kind]} where client_id = c.id and ${pendingCondition(kind, "c.require_verification")}
                  and created_at < $2)`,
  );
  const { rows } = await db.query<{ id: string; own_moderation: boolean }>(
    `select c.id, c.own_moderation from clients c
      where ($1::text[] is null or c.id = any($1)) and (c.own_moderation or c.test_days is null)
        and (${isOverdue.join(" or ")}) order by c.id`,
    [clientIds, before],
  );
  return rows;
}

/** The oldest submission of a client's pending items since a moment. Null if there is none. */
export async function selectOldestPending(
  db: Db,
  { id, require_verification }: Pick<ClientRow, "id" | "require_verification">,
  since: Date,
): Promise<Date | null> {
  const oldest = decidedKinds.map(
    (kind) =>
      `(select min(created_at) from ${tables[kind]} where client_id = $1 and ${pendingCondition(kind, "$3::boolean")} and created_at >= $2)`,
  );
  const { rows } = await db.query<{ at: Date | null }>(`select least(${oldest.join(", ")}) as at`, [
    id,
    since,
    require_verification,
  ]);
  return rows[0]?.at ?? null;
}

export type PendingClientRow = { id: string; display_name: string; count: number; oldest_at: Date };

/** Clients with pending items in a person's queue (see `isInQueueOf`), oldest first. */
export async function selectPendingClients(
  db: Db,
  who: { operator: boolean; accountId: string | null; clients: string[] | null },
  maxCount: number,
  limit: number,
): Promise<PendingClientRow[]> {
  const pending = decidedKinds.map(
    (
      kind,
    ) => `(select created_at from ${tables[kind]} where client_id = c.id and ${pendingCondition(kind, "c.require_verification")}
                 order by created_at, id limit $4)`,
  );
  const { rows } = await db.query<PendingClientRow>({
    name: "queue-pending-clients",
    text: `select c.id, c.display_name, w.count, w.oldest_at
             from clients c cross join lateral (
               select count(*)::int as count, min(created_at) as oldest_at from (${pending.join(" union all ")}) p) w
            where ($1::text[] is null or c.id = any($1))
              and case when c.own_moderation then not $2 or c.account_id = $3 else $2 end
              and w.count > 0
            order by w.oldest_at, c.id limit $5`,
    values: [who.clients, who.operator, who.accountId, maxCount, limit],
  });
  return rows;
}
