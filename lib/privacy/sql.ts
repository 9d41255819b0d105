import { remoteRecordSql } from "@/lib/integrations/engagement/queue-removals";
import { isImportedOrderSql } from "@/lib/orders/erased-hashes";
import type { Db } from "@/lib/platform/db/pool";
import type { ErasedIdName } from "@/lib/privacy/erasure-batch";
import type { Person } from "@/lib/privacy/person";
import type { PersonalData } from "@/lib/privacy/schema";
import type { ContributionTable } from "@/lib/reviews/contributions/schema";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";

// Which rows belong to a person. $1 client, $2 the customer id or normalized address. `people` are customers,
// `addresses` all their current and past addresses.
const peopleText: Record<Person["by"], string> = {
  customer: "select $2::text as id",
  email: `select id from customers where client_id = $1 and email_key = $2
          union select customer_id from customer_emails where client_id = $1 and email_key = $2`,
};
const scopeText = (by: Person["by"]) => `
people as (${peopleText[by]}),
addresses as (
  select c.email_key from people p join customers c on c.client_id = $1 and c.id = p.id where c.email_key is not null
  union select e.email_key from people p join customer_emails e on e.client_id = $1 and e.customer_id = p.id)`;

/** Ids of a person's rows in a table with `customer_id` and `email_key`. */
const ownText = (table: string, by: Person["by"]) => `
  select id from ${table} where client_id = $1 and customer_id in (select id from people)
  union select id from ${table} where client_id = $1 and customer_id is null and email_key in (select email_key from addresses)
  ${by === "email" ? `union select id from ${table} where client_id = $1 and email_key = $2` : ""}`;

const listText = (table: string, title: string, content: string, by: Person["by"]) => `
  (select coalesce(json_agg(json_build_object('author_nick', coalesce(author, ''), 'title', coalesce(${title}, ''),
            'content', ${content}) order by created_at, id), '[]')
     from ${table} where client_id = $1 and id in (${ownText(table, by)}))`;

/** A row found by its address may have the id of a customer who never had it: that id isn't returned. */
const ownId = "case when customer_id in (select id from people) then customer_id end";

// Names come from the last updated customer; without one, from an invitation, a text or a data share.
const viewText = (by: Person["by"]) => `
with ${scopeText(by)},
known as (
  select 1 as place, c.name, c.id as customer_id, c.email, c.updated_at as at
    from people p join customers c on c.client_id = $1 and c.id = p.id
  union all select 2, name, ${ownId}, email, created_at from invitations
   where client_id = $1 and id in (${ownText("invitations", by)})
  ${["reviews", "seller_reviews", "questions"]
    .map(
      (table) => `union all select 3, null, ${ownId}, author_email, created_at from ${table}
   where client_id = $1 and id in (${ownText(table, by)})`,
    )
    .join("\n  ")}
  union all select 4, data->>'name', customer_id, data->>'email', coalesce(imported_at, to_timestamp(0)) from share_rows
   where client_id = $1 and part = 'contacts' and ${by === "email" ? "email_key" : "customer_id"} = $2 and not data ? 'gone'),
newest as (select * from known order by place, at desc, customer_id limit 1)
select (select name from newest) as name, (select customer_id from newest) as customer_id, (select email from newest) as email,
       ${listText("reviews", "title", "extract", by)} as reviews,
       ${listText("questions", "question", "details", by)} as questions,
       ${listText("seller_reviews", "title", "extract", by)} as seller_reviews`;

/** The person's data; names are null and lists empty if nothing is stored. */
export async function selectPersonalData(db: Db, clientId: string, person: Person): Promise<PersonalData> {
  const { rows } = await db.query<PersonalData>({
    name: `personal-data-by-${person.by}`,
    text: viewText(person.by),
    values: [clientId, person.by === "email" ? person.email : person.id],
  });
  return rows[0] as PersonalData;
}

/** The team's notes about what a person submitted, including photos and the answers to questions, oldest first. */
export async function selectNotesAbout(
  db: Db,
  clientId: string,
  person: Person,
): Promise<{ at: Date; about: DecidedKind; text: string }[]> {
  const { rows } = await db.query<{ at: Date; about: DecidedKind; text: string }>({
    name: `notes-about-person-by-${person.by}`,
    text: `with ${scopeText(person.by)},
           written as (
             ${(["review", "seller_review", "question"] as const)
               .map((kind) => `select '${kind}' as kind, id from (${ownText(tables[kind], person.by)}) ${kind}`)
               .join(" union all ")}),
           items as (
             select kind, id from written
             union all select 'answer', a.id from written w join answers a on a.client_id = $1 and a.question_id = w.id
              where w.kind = 'question'
             union all select 'photo', u.token from written w
               join uploads u on u.client_id = $1 and u.subject_kind = w.kind and u.subject_id = w.id)
           select n.created_at as at, n.kind as about, n.text from items i
             join moderation_notes n on n.client_id = $1 and n.kind = i.kind and n.subject_id = i.id
            order by n.created_at, n.id`,
    values: [clientId, person.by === "email" ? person.email : person.id],
  });
  return rows;
}

/** Up to `most` customers who are the person; for an address, all who have or had it. */
export async function selectCustomers(db: Db, clientId: string, person: Person, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `with people as (${peopleText[person.by]})
     select c.id from people p join customers c on c.client_id = $1 and c.id = p.id order by c.id limit $3`,
    [clientId, person.by === "email" ? person.email : person.id, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Whether everything found by a normalized address is of one person: each customer who has or had it has it now, and
 * nothing of theirs has another address.
 */
export async function selectIsOnePerson(db: Db, clientId: string, email: string): Promise<boolean> {
  const others = [
    "select from customers where client_id = $1 and id in (select id from people) and email_key is distinct from $2",
    ...["customer_emails", "invitations", "reviews", "seller_reviews", "questions"].map(
      (table) =>
        `select from ${table} where client_id = $1 and customer_id in (select id from people) and email_key <> $2`,
    ),
  ];
  const { rows } = await db.query<{ one: boolean }>({
    name: "is-one-person",
    text: `with people as (${peopleText.email}) select ${others.map((text) => `not exists (${text})`).join(" and ")} as one`,
    values: [clientId, email],
  });
  return rows[0]?.one === true;
}

export type CompletedRow = {
  id: string;
  at: Date;
  action: string;
  subject: string | null;
  detail: { removed?: Record<string, number>; held?: Record<string, number>; requested_at?: string };
  actor_kind: string;
  actor_name: string | null;
};

const actorName = `case actor_kind when 'user' then (select username from users u where u.id = actor_id)
  when 'key' then (select name from api_keys k where k.id = actor_id) end as actor_name`;

/** Completed requests about personal data, newest first, after `after`. */
export async function selectCompletedRequests(
  db: Db,
  clientId: string,
  after: { time: string; id: string } | null,
  limit: number,
): Promise<CompletedRow[]> {
  const { rows } = await db.query<CompletedRow>({
    name: `personal-data-noted${after ? "-after" : ""}`,
    text: `select id::text, at, action, subject, detail, actor_kind, ${actorName} from audit_entries
            where client_id = $1 and action like 'personal_data.%' ${after ? "and (at, id) < ($3::timestamptz, $4::bigint)" : ""}
            order by at desc, audit_entries.id desc limit $2`,
    values: [clientId, limit, ...(after ? [after.time, after.id] : [])],
  });
  return rows;
}

export type PendingRow = {
  id: string;
  created_at: Date;
  removed: Record<string, number>;
  actor_kind: string;
  actor_name: string | null;
};

/** Pending erasures, newest first. */
export async function selectPendingRequests(db: Db, clientId: string, limit: number): Promise<PendingRow[]> {
  const { rows } = await db.query<PendingRow>(
    `select id, created_at, removed, actor_kind, ${actorName} from deletion_requests
      where client_id = $1 order by created_at desc, id limit $2`,
    [clientId, limit],
  );
  return rows;
}

// ── Statements of an erasure ────────────────────────────────────────────────────────────────────────────────────────
// A person's data is in many tables; the statements are listed here together. Those that delete or lock rows take a
// limited number, in id order, and return their ids.

/** Rows of a customer, or rows with one of these addresses: all of them, or only those without a customer id. */
export type RowOwner = { customer: string } | { addresses: string[]; of: "anybody" | "nobody" };

const ownerCondition = (owner: RowOwner) =>
  "customer" in owner
    ? "client_id = $1 and customer_id = $2"
    : `client_id = $1 and email_key = any($2)${owner.of === "nobody" ? " and customer_id is null" : ""}`;
const ownerValue = (owner: RowOwner) => ("customer" in owner ? owner.customer : owner.addresses);

export async function lockContributions(
  db: Db,
  table: ContributionTable,
  clientId: string,
  owner: RowOwner,
  limit: number,
): Promise<{ id: string; accepted: boolean | null; created_at: Date }[]> {
  const { rows } = await db.query<{ id: string; accepted: boolean | null; created_at: Date }>(
    `select id, accepted, created_at from ${table} where ${ownerCondition(owner)} order by id limit $3 for update`,
    [clientId, ownerValue(owner), limit],
  );
  return rows;
}

/** Votes, reports and answers are deleted by cascade; counters follow by trigger. */
export async function deleteContributions(
  db: Db,
  table: ContributionTable,
  clientId: string,
  ids: string[],
): Promise<void> {
  await db.query(`delete from ${table} where client_id = $1 and id = any($2)`, [clientId, ids]);
}

export async function selectAnswerIds(db: Db, clientId: string, questionIds: string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    "select id from answers where client_id = $1 and question_id = any($2)",
    [clientId, questionIds],
  );
  return rows.map(({ id }) => id);
}

export type InvitationRow = { id: string; mail_id: string | null; heir: string | null };

/** `heir`: another customer whose items the invitation also asks about. */
export async function lockInvitations(
  db: Db,
  clientId: string,
  owner: RowOwner,
  limit: number,
): Promise<InvitationRow[]> {
  const { rows } = await db.query<InvitationRow>(
    `with mine as (
       select client_id, id, mail_id from invitations where ${ownerCondition(owner)} order by id limit $3 for update)
     select mine.id, mine.mail_id, ${
       "customer" in owner
         ? `(select o.customer_id from invitation_items ii
              join orders o on o.client_id = ii.client_id and o.id = ii.order_id and o.customer_id <> $2
             where ii.client_id = mine.client_id and ii.invitation_id = mine.id order by ii.position limit 1)`
         : "null"
     } as heir from mine`,
    [clientId, ownerValue(owner), limit],
  );
  return rows;
}

export async function deleteInvitations(db: Db, clientId: string, ids: string[]): Promise<void> {
  await db.query("delete from invitations where client_id = $1 and id = any($2)", [clientId, ids]);
}

/**
 * Passes invitations to their other customers. Unsent ones get a new email, unless the old one was or may have been
 * sent and is in `staying`.
 */
export async function reassignInvitations(
  db: Db,
  clientId: string,
  customer: string,
  invitations: InvitationRow[],
  retainedMailIds: ReadonlySet<string>,
): Promise<void> {
  await db.query(
    `update invitations i set customer_id = c.id, name = c.name, lang = c.lang, updated_at = now(),
            mail_id = case when i.mail_id = any($4) then i.mail_id end
       from unnest($2::text[], $3::text[]) as l(id, heir) join customers c on c.client_id = $1 and c.id = l.heir
      where i.client_id = $1 and i.id = l.id`,
    [clientId, invitations.map(({ id }) => id), invitations.map(({ heir }) => heir), [...retainedMailIds]],
  );
  await db.query(
    `delete from invitation_items ii using orders o
      where ii.client_id = $1 and ii.invitation_id = any($2)
        and o.client_id = $1 and o.id = ii.order_id and o.customer_id = $3`,
    [clientId, invitations.map(({ id }) => id), customer],
  );
}

/**
 * Clears the text of emails that were or may have been sent although their invitations aren't marked as sent, so that
 * no second email is sent. Their status still counts, and those that may have been sent aren't handed over again.
 * Returns their ids.
 */
export async function clearSentMails(db: Db, clientId: string, ids: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `update mails m set subject = '', html = null, text = null,
            doubtful_since = case when m.status = 'queued' then to_timestamp(0) end, batch = null
       from invitations i
      where m.client_id = $1 and m.id = any($2) and i.client_id = $1 and i.mail_id = m.id and i.status = 'claimed'
        and (m.status in ('sent', 'failed')
             or m.status = 'queued' and (m.handed_at is not null or m.doubtful_since is not null))
     returning m.id`,
    [clientId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export async function deleteMails(db: Db, clientId: string, ids: string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    "delete from mails where client_id = $1 and id = any($2) returning id",
    [clientId, ids],
  );
  return rows.map(({ id }) => id);
}

/** Deletes emails to the addresses; with `customer`, not those for another customer's invitation. */
export async function deleteMailsTo(
  db: Db,
  clientId: string,
  addresses: string[],
  customer: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `delete from mails where id in (
       select m.id from mails m
        where m.to_key = any($2) and m.client_id = $1
          and ($3::text is null or not exists (
            select from invitations i where i.client_id = $1 and i.email_key = m.to_key and i.mail_id = m.id
               and i.customer_id is not null and i.customer_id <> $3))
        order by m.id limit $4 for update)
     returning id`,
    [clientId, addresses, customer, limit],
  );
  return rows.map(({ id }) => id);
}

/** A customer who has or had the address. */
export async function selectCustomerWith(db: Db, clientId: string, email: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from customers where client_id = $1 and email_key = $2
     union all select customer_id from customer_emails where client_id = $1 and email_key = $2 limit 1`,
    [clientId, email],
  );
  return rows[0]?.id ?? null;
}

/**
 * Locks the customer, so none of their orders can be posted until the transaction ends. Returns the current address.
 */
export async function lockCustomer(db: Db, clientId: string, id: string): Promise<{ email_key: string | null } | null> {
  const { rows } = await db.query<{ email_key: string | null }>(
    "select email_key from customers where client_id = $1 and id = $2 for update",
    [clientId, id],
  );
  return rows[0] ?? null;
}

export async function deleteCustomer(db: Db, clientId: string, id: string): Promise<void> {
  await db.query("delete from customers where client_id = $1 and id = $2", [clientId, id]);
}

/** Deletes orders with their items, including items in invitations. */
export async function deleteOrders(db: Db, clientId: string, customer: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `with mine as (
       select id from orders where client_id = $1 and customer_id = $2 order by created_at, id limit $3 for update),
     asked as (delete from invitation_items where client_id = $1 and order_id in (select id from mine))
     delete from orders where client_id = $1 and id in (select id from mine) returning id`,
    [clientId, customer, limit],
  );
  return rows.map(({ id }) => id);
}

/** Past addresses of a customer that are still stored. */
export async function selectAddresses(db: Db, clientId: string, customer: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ email_key: string }>(
    "select email_key from customer_emails where client_id = $1 and customer_id = $2 order by email_key limit $3",
    [clientId, customer, limit],
  );
  return rows.map(({ email_key }) => email_key);
}

export async function deleteAddresses(db: Db, clientId: string, customer: string, addresses: string[]): Promise<void> {
  await db.query("delete from customer_emails where client_id = $1 and customer_id = $2 and email_key = any($3)", [
    clientId,
    customer,
    addresses,
  ]);
}

/** The addresses that another customer also has or had. */
export async function selectSharedAddresses(
  db: Db,
  clientId: string,
  customer: string,
  addresses: string[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ email_key: string }>(
    `select email_key from customers where client_id = $1 and email_key = any($3) and id <> $2
     union select email_key from customer_emails where client_id = $1 and email_key = any($3) and customer_id <> $2`,
    [clientId, customer, addresses],
  );
  return new Set(rows.map(({ email_key }) => email_key));
}

export async function deleteLinksTo(db: Db, clientId: string, addresses: string[]): Promise<number> {
  const { rowCount } = await db.query("delete from action_links where client_id = $1 and email_key = any($2)", [
    clientId,
    addresses,
  ]);
  return rowCount ?? 0;
}

/** Deletes these addresses from reports, which stay. */
export async function forgetReporters(db: Db, clientId: string, addresses: string[]): Promise<number> {
  const { rowCount } = await db.query(
    "update flags set email = null, email_key = null, lang = null where client_id = $1 and email_key = any($2)",
    [clientId, addresses],
  );
  return rowCount ?? 0;
}

/**
 * Locks the webhook deliveries of the erased rows in id order, as the sender does. Locks the webhooks first, because
 * events about the erasure insert rows for them at the end: deleting a webhook locks it before its deliveries.
 */
export async function lockWebhookDeliveries(
  db: Db,
  clientId: string,
  erasedIds: Record<ErasedIdName, string[]>,
): Promise<void> {
  await db.query("select from webhooks where client_id = $1 order by id for key share", [clientId]);
  await db.query("select from webhook_deliveries where client_id = $1 and subject = any($2) order by id for update", [
    clientId,
    deliverySubjectsOf(erasedIds),
  ]);
}

/** Ids generated here, which are unique across kinds. */
const deliverySubjectsOf = ({
  order_id: _orders,
  customer_id: _customers,
  ...rest
}: Record<ErasedIdName, string[]>): string[] => Object.values(rest).flat();

/**
 * Deletes deliveries and imports of the erased rows. Returns the engagement platform's records of them, and when a
 * commerce integration sent the last of the orders. Order and customer ids are the merchant's and may be equal, so
 * `kind` distinguishes them.
 */
export async function deleteDeliveries(
  db: Db,
  clientId: string,
  erasedIds: Record<ErasedIdName, string[]>,
): Promise<{ count: number; remote: { kind: string; id: string }[]; lastImportedAt: Date | null }> {
  const { rows } = await db.query<{
    type: string;
    kind: string;
    remote_id: string | null;
    brought: Date | null;
  }>(
    `delete from deliveries where client_id = $1 and (subject = any($2)
        or (subject = any($3) and kind like 'order%')
        or (subject = any($4) and (kind like 'customer%' or kind like 'contact%')))
     returning type, ${remoteRecordSql}, case when ${isImportedOrderSql} then created_at end as brought`,
    [clientId, deliverySubjectsOf(erasedIds), erasedIds.order_id, erasedIds.customer_id],
  );
  const remote = rows.flatMap(({ type, kind, remote_id }) =>
    type === "engagement" && remote_id ? [{ kind, id: remote_id }] : [],
  );
  const webhookDeliveries = await db.query(
    "delete from webhook_deliveries where client_id = $1 and subject = any($2)",
    [clientId, deliverySubjectsOf(erasedIds)],
  );
  const lastImportedAt = rows.reduce<Date | null>(
    (last, { brought: at }) => (at && (!last || at > last) ? at : last),
    null,
  );
  return { count: rows.length + (webhookDeliveries.rowCount ?? 0), remote, lastImportedAt };
}

/** Deletes saved portal views that filter by the person. */
export async function deleteViewsOf(db: Db, clientId: string, isPerson: (value: string) => boolean): Promise<number> {
  const { rows } = await db.query<{ id: string; query: string }>(
    "select id, query from saved_views where client_id = $1",
    [clientId],
  );
  const matching = rows.filter(({ query }) => [...new URLSearchParams(query).values()].some(isPerson));
  if (matching.length === 0) return 0;
  const { rowCount } = await db.query("delete from saved_views where client_id = $1 and id = any($2)", [
    clientId,
    matching.map(({ id }) => id),
  ]);
  return rowCount ?? 0;
}

/** Makes every process clear its cached responses of the client. */
export async function invalidateCaches(db: Db, clientId: string): Promise<void> {
  await db.query("select pg_notify('candor_cache', 'client:' || $1)", [clientId]);
}
