import type { Db } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import type { EncodedNotices } from "@/lib/platform/notices";
import { personHash } from "@/lib/platform/secrets/person-hash";
import type { RowPerson, StoredShareRow } from "./read-row";
import type { PartName } from "./share-tables";

// Rows of a share by part and the platform's id, in their newest version. Receipts arrive apart from their items and
// contacts, and months later. A changed receipt is `todo` until it's imported as an order.

/** Stores rows with distinct ids, unless a newer version is stored. Returns the rows that are new or changed. */
export async function upsertRows(
  db: Db,
  clientId: string,
  part: PartName,
  rows: StoredShareRow[],
): Promise<{ id: string; receipt_id: string | null }[]> {
  const { rows: storedRows } = await db.query<{
    id: string;
    receipt_id: string | null;
  }>({
    name: "share-upsert",
    text: `insert into share_rows as t (client_id, part, id, receipt_id, contact_id, sku, customer_id, email_key, imported_at, data)
           select $1, $2, id, receipt_id, contact_id, sku, customer_id, email_key, imported_at, data
             from jsonb_to_recordset($3::jsonb) as r(id text, receipt_id text, contact_id text, sku text, customer_id text,
                    email_key text, imported_at timestamptz, data jsonb)
            order by id
           on conflict (client_id, part, id) do update
             set receipt_id = excluded.receipt_id, contact_id = coalesce(excluded.contact_id, t.contact_id), sku = excluded.sku,
                 customer_id = coalesce(excluded.customer_id, t.customer_id), email_key = excluded.email_key,
                 imported_at = excluded.imported_at, data = excluded.data
           where coalesce(excluded.imported_at, 'infinity') >= coalesce(t.imported_at, '-infinity')
             and (excluded.receipt_id, coalesce(excluded.contact_id, t.contact_id), excluded.sku,
                  coalesce(excluded.customer_id, t.customer_id), excluded.email_key, excluded.imported_at, excluded.data)
                 is distinct from
                 (t.receipt_id, t.contact_id, t.sku, t.customer_id, t.email_key, t.imported_at, t.data)
           returning id, receipt_id`,
    values: [clientId, part, JSON.stringify(rows)],
  });
  return storedRows;
}

/**
 * Locks contacts, and those of these receipts, until the transaction ends. An erasure locks contacts first, so it
 * either waits for rows being stored, or precedes them.
 */
export async function lockContacts(
  db: Db,
  clientId: string,
  { contacts, receipts = [] }: { contacts: string[]; receipts?: string[] },
): Promise<void> {
  await db.query({
    name: "share-hold-contacts",
    text: `select from share_rows where client_id = $1 and part = 'contacts' and id = any(array(
             select unnest($2::text[])
             union select contact_id from share_rows where client_id = $1 and part = 'receipts' and id = any($3)))
            order by id for update`,
    values: [clientId, contacts, receipts],
  });
}

/** Marks receipts of these contacts for import. */
export async function markReceiptsOfContacts(db: Db, clientId: string, contacts: string[]): Promise<void> {
  await db.query(
    `update share_rows set todo = true
      where client_id = $1 and part = 'receipts' and contact_id = any($2) and not todo`,
    [clientId, contacts],
  );
}

/**
 * Marks these receipts for import and, if they contain returns, the person's receipts with purchases of the same SKUs.
 */
export async function markReceiptsTodo(db: Db, clientId: string, receipts: string[]): Promise<void> {
  const values = [clientId, receipts];
  await db.query(
    `update share_rows i set contact_id = r.contact_id from share_rows r
      where i.client_id = $1 and i.part = 'items' and i.receipt_id = any($2)
        and r.client_id = $1 and r.part = 'receipts' and r.id = i.receipt_id and i.contact_id is distinct from r.contact_id`,
    values,
  );
  await db.query(
    `update share_rows t set todo = true
      where t.client_id = $1 and t.part = 'receipts' and not t.todo and (t.id = any($2) or t.id in (
        select bought.receipt_id from share_rows back
          join share_rows bought on bought.client_id = $1 and bought.part = 'items'
               and bought.contact_id = back.contact_id and bought.sku = back.sku and not bought.data ? 'returned'
         where back.client_id = $1 and back.part = 'items' and back.receipt_id = any($2) and back.data ? 'returned'))`,
    values,
  );
}

export type StoredRow = { id: string; data: StoredShareRow["data"] };
export type ReceiptRow = StoredRow & {
  contact_id: string;
  contact: { customer_id: string; data: StoredShareRow["data"] } | null;
  store: StoredRow | null;
};
export type ReceiptLineRow = StoredRow & {
  receipt_id: string;
  contact_id: string;
  sku: string;
  at: string;
  article: StoredShareRow["data"] | null;
};

/** Receipts marked for import, with buyer and store. */
export async function selectReceiptsToImport(db: Db, clientId: string, limit: number): Promise<ReceiptRow[]> {
  const { rows } = await db.query<ReceiptRow>({
    name: "share-todo",
    text: `select r.id, r.contact_id, r.data,
                  case when c.id is not null then json_build_object('customer_id', c.customer_id, 'data', c.data) end as contact,
                  s.store
             from share_rows r
             left join share_rows c on c.client_id = $1 and c.part = 'contacts' and c.id = r.contact_id and not c.data ? 'gone'
             left join lateral (
               select json_build_object('id', s.id, 'data', s.data) as store from share_rows s
                where s.client_id = $1 and s.part = 'stores'
                  and (s.id = r.data->>'store' or s.data->>'external_id' = r.data->>'store')
                order by (s.id = r.data->>'store') desc, s.id limit 1) s on true
            where r.client_id = $1 and r.part = 'receipts' and r.todo
            order by r.id limit $2`,
    values: [clientId, limit],
  });
  return rows;
}

/** No person buys one SKU this often: more lines mean a shared contact of a checkout. */
const MAX_LINES = 500;

/**
 * All purchases and returns by the buyers of these receipts, for the SKUs in them, oldest first, to compute remaining
 * quantities. Above {@link MAX_LINES} lines of one SKU, only the receipts' own lines. Lines without a time have their
 * receipt's.
 */
export async function selectLines(db: Db, clientId: string, receipts: string[]): Promise<ReceiptLineRow[]> {
  const { rows } = await db.query<ReceiptLineRow>({
    name: "share-lines",
    text: `with wanted as (
             select distinct contact_id, sku from share_rows
              where client_id = $1 and part = 'items' and receipt_id = any($2) and contact_id is not null),
           counted as (
             select w.*, (select count(*) from (
                      select from share_rows i
                       where i.client_id = $1 and i.part = 'items' and i.contact_id = w.contact_id and i.sku = w.sku limit $3) first) as lines
               from wanted w)
           select i.id, i.receipt_id, i.contact_id, i.sku, i.data, coalesce(i.data->>'at', r.data->>'at', '') as at,
                  a.data as article
             from counted w
             cross join lateral (
               select own.* from share_rows own
                where w.lines < $3 and own.client_id = $1 and own.part = 'items' and own.contact_id = w.contact_id
                  and own.sku = w.sku
               union all
               select own.* from share_rows own
                where w.lines >= $3 and own.client_id = $1 and own.part = 'items' and own.receipt_id = any($2)
                  and own.contact_id = w.contact_id and own.sku = w.sku) i
             left join share_rows r on r.client_id = $1 and r.part = 'receipts' and r.id = i.receipt_id
             left join share_rows a on a.client_id = $1 and a.part = 'articles' and a.id = i.sku
            where not i.data ? 'gone' and not coalesce(r.data ? 'gone', false)
            order by at, i.receipt_id, i.id`,
    values: [clientId, receipts, MAX_LINES],
  });
  return rows;
}

/** Purchased lines that the platform revoked, or whose receipt it revoked. */
export async function selectRevokedLines(db: Db, clientId: string, receipts: string[]): Promise<ReceiptLineRow[]> {
  const { rows } = await db.query<ReceiptLineRow>(
    `select i.id, i.receipt_id, i.contact_id, i.sku, i.data, '' as at, null as article
       from share_rows i left join share_rows r on r.client_id = $1 and r.part = 'receipts' and r.id = i.receipt_id
      where i.client_id = $1 and i.part = 'items' and i.receipt_id = any($2) and not i.data ? 'returned'
        and (i.data ? 'gone' or coalesce(r.data ? 'gone', false))
      order by i.receipt_id, i.id`,
    [clientId, receipts],
  );
  return rows;
}

export async function markReceiptsDone(db: Db, clientId: string, receipts: string[]): Promise<void> {
  await db.query("update share_rows set todo = false where client_id = $1 and part = 'receipts' and id = any($2)", [
    clientId,
    receipts,
  ]);
}

/** A page of articles by id. */
export async function selectArticles(db: Db, clientId: string, after: string, limit: number): Promise<StoredRow[]> {
  const { rows } = await db.query<StoredRow>(
    `select id, data from share_rows where client_id = $1 and part = 'articles' and id > $2 order by id limit $3`,
    [clientId, after, limit],
  );
  return rows;
}

/** Ids of completely read files. */
export async function selectReadFiles(db: Db, clientId: string, part: PartName): Promise<Set<string>> {
  const { rows } = await db.query<{ file_id: string }>(
    "select file_id from share_files where client_id = $1 and part = $2",
    [clientId, part],
  );
  return new Set(rows.map(({ file_id }) => file_id));
}

export async function recordReadFile(db: Db, clientId: string, part: PartName, fileId: string): Promise<void> {
  await db.query("insert into share_files (client_id, part, file_id) values ($1, $2, $3) on conflict do nothing", [
    clientId,
    part,
    fileId,
  ]);
}

/** Deletes records of files that are no longer part of the table. */
export async function deleteStaleFileRecords(db: Db, clientId: string, part: PartName, files: string[]): Promise<void> {
  await db.query("delete from share_files where client_id = $1 and part = $2 and not file_id = any($3)", [
    clientId,
    part,
    files,
  ]);
}

export async function deleteFileRecords(db: Db, clientId: string, part: PartName): Promise<void> {
  await db.query("delete from share_files where client_id = $1 and part = $2", [clientId, part]);
}

/** Deletes up to `limit` of a client's rows, and all records of rejected ones. Returns the number of deleted rows. */
export async function deleteShareRows(db: Db, clientId: string, limit: number): Promise<number> {
  const rows = await db.query(
    `with chosen as materialized (
       select client_id, part, id from share_rows where client_id = $1 order by part, id limit $2 for update)
     delete from share_rows r using chosen c where r.client_id = c.client_id and r.part = c.part and r.id = c.id`,
    [clientId, limit],
  );
  await db.query("delete from share_files where client_id = $1", [clientId]);
  // Rejected rows are deleted too: the stored rows were needed to find their person.
  const refused = await db.query(
    `with held as (select id from deliveries where ${refusedRowsOfClientSql} order by kind, subject for update)
     delete from deliveries where client_id = $1 and id in (select id from held)`,
    [clientId],
  );
  return (rows.rowCount ?? 0) + (refused.rowCount ?? 0);
}

/** A client with stored rows whose share is disconnected. */
export async function findDisconnectedClient(db: Db, clientId: string | null): Promise<string | null> {
  const { rows } = await db.query<{ client_id: string }>(
    `select c.id as client_id from clients c
      where (exists (select from share_rows s where s.client_id = c.id)
             or exists (select from share_files f where f.client_id = c.id)
             or exists (select from deliveries where client_id = c.id and ${refusedRowSql}))
        and not exists (select from integrations i where i.client_id = c.id and i.type = 'share')
        and ($1::text is null or c.id = $1)
      limit 1`,
    [clientId],
  );
  return rows[0]?.client_id ?? null;
}

/** A rejected row, for the log. `kind` says what the subject identifies. */
export type Refusal = { kind: string; subject: string; reason: EncodedNotices; whose: RowPerson };

const refusedKinds: Record<PartName, string> = {
  stores: "store_refused",
  articles: "article_refused",
  contacts: "contact_refused",
  receipts: "order_refused",
  items: "order_item_refused",
};
export const refusedKind = (part: PartName): string => refusedKinds[part];

/** SQL: rejected rows of people. `refusedRowsOfClientSql`: those of client $1. */
const refusedRowSql = `type = 'share' and target_id = '' and outcome = 'failed'
  and kind in ('contact_refused', 'order_refused', 'order_item_refused')`;
const refusedRowsOfClientSql = `client_id = $1 and ${refusedRowSql}`;

/** Keyed hashes of a row's person. Contact and receipt are separate, so that rows referring to them are found. */
const hashesOf = (clientId: string, { contact, receipt, customer, email }: RowPerson) => ({
  contact: contact && personHash(clientId, "contact", contact),
  receipt: receipt && personHash(clientId, "receipt", receipt),
  people: [
    ...(customer ? [personHash(clientId, "customer", customer)] : []),
    ...(email ? [personHash(clientId, "email", email)] : []),
  ],
});

export async function saveRefusals(db: Db, clientId: string, refusals: Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  const unique = new Map(refusals.map((one) => [`${one.kind} ${one.subject}`, one]));
  await db.query(
    `insert into deliveries as d (client_id, id, type, kind, subject, outcome, reason, payload, attempts)
     select $1, id, 'share', kind, subject, 'failed', reason, hashes, 1
       from jsonb_to_recordset($2::jsonb) as r(id text, kind text, subject text, reason text, hashes jsonb)
      order by kind, subject
     on conflict (client_id, type, target_id, kind, subject) do update
       set outcome = 'failed', reason = excluded.reason, payload = excluded.payload, attempts = d.attempts + 1,
           updated_at = now()`,
    [
      clientId,
      JSON.stringify(
        [...unique.values()].map(({ whose, ...one }) => ({
          id: newId("dlv"),
          ...one,
          hashes: hashesOf(clientId, whose),
        })),
      ),
    ],
  );
}

/** Deletes records of rows that were stored after all. */
export async function deleteRefusals(db: Db, clientId: string, kind: string, subjects: string[]): Promise<void> {
  await db.query(
    `with held as (
       select id from deliveries
        where client_id = $1 and type = 'share' and target_id = '' and kind = $2 and subject = any($3) and outcome = 'failed'
        order by subject for update)
     delete from deliveries where client_id = $1 and id in (select id from held)`,
    [clientId, kind, subjects],
  );
}

// Of a contact that the platform deleted, only purchases may be left, which identify it. The same goes for contacts
// that haven't arrived yet, if the contact id is the customer id.
const contactIdsSql = {
  customer: `
    select id from share_rows where client_id = $1 and part = 'contacts' and customer_id = $2
    union
    select r.contact_id from orders o
      join deliveries d on d.client_id = $1 and d.type = 'share' and d.target_id = '' and d.kind = 'order' and d.subject = o.id
      join share_rows r on r.client_id = $1 and r.part = 'receipts' and r.id = d.remote_id
     where exists (select from share_rows where client_id = $1) and o.client_id = $1 and o.customer_id = $2
       and not exists (
         select from share_rows c
          where c.client_id = $1 and c.part = 'contacts' and c.id = r.contact_id and not c.data ? 'gone')
    union
    select contact_id from share_rows
     where client_id = $1 and part in ('receipts', 'items') and contact_id = $2
       and exists (select from integrations
                    where client_id = $1 and type = 'share' and settings->>'customer_id' = 'contact_id')`,
  email: "select id from share_rows where client_id = $1 and part = 'contacts' and email_key = $2",
};

/** Contacts and receipts as keyed hashes, including those known only by their hashes. */
export type DeletedContacts = { contacts: string[]; receipts: string[]; count: number };

/**
 * Deletes a person's rows: contacts by customer id or email, with their purchases and records of rejected rows. Locks
 * rows of each kind by key, as imports do. Returns keyed hashes of the contacts and receipts.
 */
export async function deleteContacts(
  db: Db,
  clientId: string,
  owner: { customer: string } | { email: string },
): Promise<DeletedContacts> {
  const [text, value] =
    "customer" in owner ? [contactIdsSql.customer, owner.customer] : [contactIdsSql.email, owner.email];
  const contactHash = (id: string) => personHash(clientId, "contact", id);
  const receiptHash = (id: string) => personHash(clientId, "receipt", id);
  const { people } = hashesOf(clientId, owner);
  // A rejected contact may be known only from this record.
  const { rows: refusedOwners } = await db.query<{ subject: string; contact: string | null }>(
    `select subject, payload->>'contact' as contact from deliveries where ${refusedRowsOfClientSql} and payload->'people' ?| $2`,
    [clientId, people],
  );
  const refusedContacts = refusedOwners.flatMap(({ subject, contact }) =>
    [subject, value].filter((id) => contactHash(id) === contact),
  );
  const { rows } = await db.query<{ id: string }>(
    `with requested as (${text} union select unnest($3::text[])),
     held as (select id from share_rows where client_id = $1 and part = 'contacts' and id in (select id from requested)
               order by id for update),
     gone as (delete from share_rows where client_id = $1 and part = 'contacts' and id in (select id from held))
     select id from requested`,
    [clientId, value, refusedContacts],
  );
  const ids = rows.map(({ id }) => id);
  const contacts = [...new Set([...ids.map(contactHash), ...refusedOwners.flatMap(({ contact }) => contact ?? [])])];
  if (contacts.length === 0 && refusedOwners.length === 0) return { contacts, receipts: [], count: 0 };
  const { rows: refused } = await db.query<{ subject: string; receipt: string | null }>(
    `select subject, payload->>'receipt' as receipt from deliveries
      where ${refusedRowsOfClientSql} and kind = 'order_refused' and payload->>'contact' = any($2)`,
    [clientId, contacts],
  );
  // Lines that only refer to a receipt belong to its buyer, even if the receipt was rejected.
  const refusedReceipts = refused.flatMap(({ subject, receipt }) => (receiptHash(subject) === receipt ? subject : []));
  const { rows: bought } = await db.query<{ part: PartName; id: string }>(
    `with held as (select part, id from share_rows
                     where client_id = $1
                       and (part in ('receipts', 'items') and contact_id = any($2)
                            or part = 'items' and contact_id is null and receipt_id = any($3))
                     order by part, id for update)
     delete from share_rows s using held h where s.client_id = $1 and s.part = h.part and s.id = h.id returning s.part, s.id`,
    [clientId, ids, refusedReceipts],
  );
  const receipts = [
    ...new Set([
      ...bought.flatMap(({ part, id }) => (part === "receipts" ? receiptHash(id) : [])),
      ...refused.flatMap(({ receipt }) => receipt ?? []),
    ]),
  ];
  const { rowCount } = await db.query(
    `with held as (select id from deliveries
                    where ${refusedRowsOfClientSql}
                      and (kind = 'contact_refused' and subject = any($2)
                           or kind <> 'contact_refused' and subject = any($3)
                           or kind = 'order_refused' and remote_id = any($3)
                           or payload->'people' ?| $4 or payload->>'contact' = any($5)
                           or payload->>'receipt' = any($6) and (kind = 'order_refused' or not payload ? 'contact'))
                    order by kind, subject for update)
     delete from deliveries where client_id = $1 and id in (select id from held)`,
    [clientId, ids, bought.map(({ id }) => id), people, contacts, receipts],
  );
  return { contacts, receipts, count: ids.length + bought.length + (rowCount ?? 0) };
}

/** Deletes lines of erased receipts, stored before their buyer was known. */
export async function deleteLines(db: Db, clientId: string, receipts: string[]): Promise<void> {
  await db.query(
    `with held as (
       select id from share_rows where client_id = $1 and part = 'items' and receipt_id = any($2) order by id for update)
     delete from share_rows where client_id = $1 and part = 'items' and id in (select id from held)`,
    [clientId, receipts],
  );
}
