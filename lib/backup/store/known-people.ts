import pg from "pg";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";

// Suppressions and cooldowns name people by hashes, which depend on the installation's secret. The archive says which of
// its customers and addresses they are, so that an installation with another secret can make its own hashes.

const PAGE = 10_000;

const OUT = "known_people_out";

/** Creates the temporary table that the export collects those people in. Call it before the snapshot, which is read-only. */
export async function createKnownPeople(db: pg.Client): Promise<void> {
  await db.query(`create temp table ${OUT} (hash text, kind text, value text)`);
}

/** Collects those people in the snapshot of the connection, and returns their `copy`. */
export async function copyKnownPeople(db: pg.Client, clientId: string): Promise<string> {
  const id = pg.escapeLiteral(clientId);
  const emails = ["customers", "customer_emails", "invitations", "reviews", "seller_reviews", "questions"].map(
    (table) => `select email_key from ${table} where client_id = ${id} and email_key is not null`,
  );
  await db.query(
    `declare people no scroll cursor for
       select 'customer' as kind, id as value from customers where client_id = ${id}
       union all select 'email', email_key from (${emails.join(" union ")}) e`,
  );
  for (;;) {
    const { rows } = await db.query<{ kind: "customer" | "email"; value: string }>(`fetch ${PAGE} from people`);
    await db.query(
      `insert into ${OUT} select k.* from unnest($2::text[], $3::text[], $4::text[]) as k(hash, kind, value)
        where exists (select from suppressions where client_id = $1 and email_hash = k.hash)
           or exists (select from quarantines where client_id = $1 and person_hash = k.hash)`,
      [
        clientId,
        rows.map(({ kind, value }) => personHash(clientId, kind, value)),
        rows.map(({ kind }) => kind),
        rows.map(({ value }) => value),
      ],
    );
    if (rows.length < PAGE) break;
  }
  await db.query("close people");
  return `copy (select hash, kind, value from ${OUT} order by hash collate "C") to stdout`;
}

/** What can't be recognized any more with another secret. */
export type LostHashes = { suppressions: number; cooldowns: number; erasures: number; voters: number };

/**
 * Makes the hashes in the temporary tables with this installation's secret, and deletes those whose person isn't known.
 * Votes keep their hashes: they count, but their voters can vote again.
 */
export async function remakeHashes(db: pg.Client, clientId: string): Promise<LostHashes> {
  const count = async (table: string) =>
    (await db.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0;
  const [customers, people] = [await count("archived_customers"), await count("archived_known_people")];
  await db.query("create temp table remade_hashes (old text primary key, new text) on commit drop");
  for (let last = 0; last < customers; last += PAGE) {
    const { rows } = await db.query<{ n: string; id: string; email_key: string | null }>(
      "select n, id, email_key from archived_customers where n > $1 and n <= $2",
      [last, last + PAGE],
    );
    await db.query(
      `update archived_customers c set id_hash = r.id_hash, email_hash = r.email_hash
         from unnest($1::bigint[], $2::text[], $3::text[]) as r(n, id_hash, email_hash) where c.n = r.n`,
      [
        rows.map(({ n }) => n),
        rows.map(({ id }) => personHash(clientId, "customer", id)),
        rows.map(({ email_key }) => email_key && personHash(clientId, "email", email_key)),
      ],
    );
  }
  for (let last = 0; last < people; last += PAGE) {
    const { rows } = await db.query<{ hash: string; kind: "customer" | "email"; value: string }>(
      `select hash, kind, value from archived_known_people
        where n > $1 and n <= $2 and kind in ('customer', 'email') and num_nulls(hash, value) = 0 order by n`,
      [last, last + PAGE],
    );
    await db.query("insert into remade_hashes select * from unnest($1::text[], $2::text[])", [
      rows.map(({ hash }) => hash),
      rows.map(({ kind, value }) => personHash(clientId, kind, kind === "email" ? emailKey(value) : value)),
    ]);
  }
  await db.query("analyze remade_hashes");
  await db.query(
    "update archived_suppressions s set email_hash = r.new from remade_hashes r where r.old = s.email_hash",
  );
  await db.query(
    "update archived_quarantines q set person_hash = r.new from remade_hashes r where r.old = q.person_hash",
  );
  const deleted = async (statement: string) => (await db.query(statement)).rowCount ?? 0;
  const unknown = (hash: string) => `not exists (select from remade_hashes r where r.new = ${hash})`;
  const lost = {
    suppressions: await deleted(`delete from archived_suppressions s where ${unknown("s.email_hash")}`),
    cooldowns: await deleted(`delete from archived_quarantines q where ${unknown("q.person_hash")}`),
    erasures: await deleted("delete from archived_erased_hashes where what <> 'shop'"),
  };
  // Fingerprints of senders, which expire after a day. Those of texts have no key.
  await db.query("delete from archived_moderation_prints where expires_at is not null");
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from (
       select voter from archived_votes union select voter from archived_flags where voter is not null) v`,
  );
  return { ...lost, voters: rows[0]?.n ?? 0 };
}
