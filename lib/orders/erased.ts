import type { PoolClient } from "pg";
import { type Db, pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";

// What an erasure leaves, so that nobody comes back by what is told of them again. Orders, and contacts and receipts of a data share, are
// known for good: a feed or a shop goes on telling of what is long past. People are known for some days, for what was being
// read while they were erased, and while a shop is connected, which says of each order when it was placed; who orders again
// later is a customer like any other. All of it as keyed hashes.

/**
 * `customer`, `email` and `address` are people; addresses in any spelling. `email` is who was erased by it; an `address` was a
 * customer's who was erased, may be another one's as well, and counts for what names no customer.
 */
export type ErasedWhat = "order" | "contact" | "receipt" | "customer" | "email" | "address";

const PEOPLE = "what in ('customer', 'email', 'address')";

/** Days for which people are known: an uploaded file may wait a week for its import. */
const PEOPLE_RETENTION_DAYS = 8;
/** Days for which a shop that brought an order may be connected again, and tell of orders that it has not told yet. */
const SHOP_RETENTION_DAYS = 365;

const LOCK_KEYS = "hashtext('candor.erasure'), hashtext($1)";

/**
 * Waits for those who are storing what they read before (see `blockErasures`) and lets nobody else begin, until the
 * transaction ends. An erasure does so before it leaves its hashes and looks for rows: it finds what they stored, or they
 * find the hashes.
 */
export const blockImports = (db: Db, clientId: string) =>
  db.query(`select pg_advisory_xact_lock(${LOCK_KEYS})`, [clientId]);

/**
 * Waits for an erasure that is at work and lets none begin, until the transaction ends. First thing in a transaction that
 * stores what was read before it; then the hashes are asked.
 */
export const blockErasures = (db: Db, clientId: string) =>
  db.query(`select pg_advisory_xact_lock_shared(${LOCK_KEYS})`, [clientId]);

/** The same for several transactions of one connection. */
export async function withErasuresBlocked<T>(db: PoolClient, clientId: string, work: () => Promise<T>): Promise<T> {
  await db.query(`select pg_advisory_lock_shared(${LOCK_KEYS})`, [clientId]);
  try {
    return await work();
  } finally {
    await db.query(`select pg_advisory_unlock_shared(${LOCK_KEYS})`, [clientId]);
  }
}

/**
 * The moment by the database's clock, for who begins to read something that is stored later: erasures from then on are asked
 * for. One at work is waited for; what is read after it is not what was there before.
 */
export async function getReadStart(db: Db, clientId: string): Promise<Date> {
  const { rows } = await db.query<{ moment: Date }>(
    `with free as materialized (select pg_advisory_xact_lock_shared(${LOCK_KEYS}))
     select clock_timestamp()::timestamptz(3) as moment from free`,
    [clientId],
  );
  return (rows[0] as { moment: Date }).moment;
}

/**
 * The moment by the database's clock, for who has just read something: whoever is erased from then on is not told of by it
 * any more. Unlike {@link getReadStart} it waits for nobody, since one who is erased right now was so before it was read, or after.
 */
export async function getDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await db.query<{ moment: Date }>("select clock_timestamp()::timestamptz(3) as moment");
  return (rows[0] as { moment: Date }).moment;
}

/** Notes what is erased; people anew each time. */
export const recordErased = (db: Db, clientId: string, what: ErasedWhat, ids: string[]): Promise<void> =>
  recordErasedHashes(
    db,
    clientId,
    what,
    ids.map((id) => personHash(clientId, what, id)),
  );

/** The same of what is known by its hash only. */
export async function recordErasedHashes(db: Db, clientId: string, what: ErasedWhat, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return;
  await db.query({
    name: "record-erased",
    text: `insert into erased_hashes as e (client_id, hash, what, erased_at)
           select $1, hash, $2, clock_timestamp() from unnest($3::text[]) as n(hash) order by hash
           on conflict (client_id, hash) do update set erased_at = excluded.erased_at where e.${PEOPLE}`,
    values: [clientId, what, [...new Set(hashes)]],
  });
}

/** SQL: a delivery is an order that a shop brought. */
export const importedByShop = "type = 'commerce' and outcome = 'imported'";

/** Notes when a shop had brought an order at the latest, of orders that go with an erased person: see {@link purgeErased}. */
export async function recordShopImport(db: Db, clientId: string, importedAt: Date): Promise<void> {
  await db.query(
    `insert into erased_hashes as e (client_id, hash, what, erased_at) values ($1, 'shop', 'shop', $2)
     on conflict (client_id, hash) do update set erased_at = greatest(e.erased_at, excluded.erased_at)`,
    [clientId, importedAt],
  );
}

/** Which of them were erased, and when last. */
export async function selectErasedAt(
  db: Db,
  clientId: string,
  what: ErasedWhat,
  ids: string[],
): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map();
  const byHash = Map.groupBy(new Set(ids), (id) => personHash(clientId, what, id));
  const { rows } = await db.query<{ hash: string; erased_at: Date }>({
    name: "erased",
    text: "select hash, erased_at from erased_hashes where client_id = $1 and hash = any($2)",
    values: [clientId, [...byHash.keys()]],
  });
  return new Map(
    rows.flatMap(({ hash, erased_at }) => (byHash.get(hash) ?? []).map((id): [string, Date] => [id, erased_at])),
  );
}

export const selectErased = async (db: Db, clientId: string, what: ErasedWhat, ids: string[]): Promise<Set<string>> =>
  new Set((await selectErasedAt(db, clientId, what, ids)).keys());

/** Which of these orders went with an erased person, and were not posted anew since. */
export async function selectErasedOrders(db: Db, clientId: string, ids: string[]): Promise<Set<string>> {
  const erased = await selectErased(db, clientId, "order", ids);
  if (erased.size === 0) return erased;
  for (const id of await selectExisting(db, clientId, [...erased])) erased.delete(id);
  return erased;
}

/** Which of these orders there are. */
async function selectExisting(db: Db, clientId: string, ids: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>("select id from orders where client_id = $1 and id = any($2)", [
    clientId,
    ids,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Whether anybody was erased since a moment. Hardly ever: whoever asks first need not make a hash of everybody. */
export async function hasErasuresSince(db: Db, clientId: string, since: Date): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>({
    name: "erased-people",
    text: `select exists (select from erased_hashes
            where client_id = $1 and ${PEOPLE} and erased_at >= $2) as any`,
    values: [clientId, since],
  });
  return rows[0]?.any ?? false;
}

/** Whom something tells of, and as of when: it counts who was erased then or later. */
type PersonRef = { customer?: string | null; email?: string | null; since: Date };

/** Those who tell of somebody who was erased since. */
export async function filterErasedPeople<T>(
  db: Db,
  clientId: string,
  entries: T[],
  personIn: (one: T) => PersonRef,
): Promise<T[]> {
  const people = entries.map((one) => ({ one, ...personIn(one) }));
  const erased = (what: ErasedWhat, ids: (string | null | undefined)[]) =>
    selectErasedAt(
      db,
      clientId,
      what,
      ids.flatMap((id) => id || []),
    );
  const customers = await erased(
    "customer",
    people.map(({ customer }) => customer),
  );
  const emails = await erased(
    "email",
    people.map(({ email }) => email),
  );
  const addresses = await erased(
    "address",
    people.map(({ customer, email }) => (customer ? null : email)),
  );
  return people.flatMap(({ one, customer, email, since }) => {
    const moments = [
      customer && customers.get(customer),
      email && emails.get(email),
      !customer && email && addresses.get(email),
    ];
    return moments.some((moment) => moment && moment >= since) ? [one] : [];
  });
}

/** An order, as far as it says whose it is; `placed`: the last moment at which that can have been, where it says so. */
type Order = { id: string; customer: { id: string; email?: string | null }; placed?: Date };

/** The last moment at which something that was `read` by then can have been, whatever another system's clock says. */
export const earlierOf = (placed: Date | undefined, read: Date): Date => (placed && placed < read ? placed : read);

/**
 * Which of these orders stay away: they went with an erased person, or theirs was erased since they were placed, or where
 * they do not say when, since they were `read`; those stay away for good. One that is there again was posted since, and is
 * taken unless it was read before. In the transaction in which the others are stored, after `blockErasures`.
 */
export async function selectErasedAmong(db: Db, clientId: string, orders: Order[], read: Date): Promise<Set<string>> {
  const ids = orders.map(({ id }) => id);
  const known = await selectErasedOrders(db, clientId, ids);
  const first = orders.reduce((least, { placed }) => earlierOf(placed, least), read);
  if (!(await hasErasuresSince(db, clientId, first))) return known;
  const there = await selectExisting(db, clientId, ids);
  const personOfOrder = ({ id, customer, placed }: Order): PersonRef => ({
    customer: customer.id,
    email: customer.email,
    since: there.has(id) ? read : earlierOf(placed, read),
  });
  const theirs = (await filterErasedPeople(db, clientId, orders, personOfOrder)).map(({ id }) => id);
  await recordErased(db, clientId, "order", theirs);
  return new Set([...known, ...theirs]);
}

/** Whether anybody's order was ever erased: where not, nobody need make a hash in order to ask. */
export async function hasErasedOrders(db: Db, clientId: string): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>(
    "select exists (select from erased_hashes where client_id = $1 and what = 'order') as any",
    [clientId],
  );
  return rows[0]?.any ?? false;
}

/**
 * Removes up to `limit` hashes of people that nothing asks for any more. Where a shop is connected its orders go on asking:
 * one may have been placed before the erasure, and be told for the first time. So it may by a shop that is disconnected and
 * connected again within a year of the last order that it brought, though that went with somebody who was erased. Answers how
 * many.
 */
export async function purgeErased(limit = 5_000): Promise<number> {
  const { rowCount } = await pool().query(
    `delete from erased_hashes where (client_id, hash) in (
       select client_id, hash from erased_hashes e
        where ${PEOPLE} and erased_at < now() - make_interval(days => $1)
          and (what = 'address'
               or not exists (select from integrations i where i.client_id = e.client_id and i.type = 'commerce')
                  and not exists (
                    select from deliveries
                     where client_id = e.client_id and ${importedByShop}
                       and created_at > now() - make_interval(days => $3))
                  and not exists (
                    select from erased_hashes s
                     where s.client_id = e.client_id and s.hash = 'shop' and s.erased_at > now() - make_interval(days => $3)))
        limit $2)`,
    [PEOPLE_RETENTION_DAYS, limit, SHOP_RETENTION_DAYS],
  );
  return rowCount ?? 0;
}
