import type { PoolClient } from "pg";
import { type Db, pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";

// Keyed hashes left by an erasure, so that later imports don't bring the person back. Hashes of orders, and of contacts
// and receipts of a data share, are stored forever: feeds and commerce integrations keep sending old ones. Hashes of
// people are stored for some days, for data that was being read during the erasure, and while a commerce integration
// exists, since its orders say when they were placed. A person who orders again later is a new customer.

/**
 * `customer`, `email` and `address` are people; addresses match in any spelling. `email`: the person was erased by this
 * address. `address`: an erased customer had it; others may have it too, so it only counts for data without a customer
 * id.
 */
export type ErasedWhat = "order" | "contact" | "receipt" | "customer" | "email" | "address";

const IS_PERSON_SQL = "what in ('customer', 'email', 'address')";

/** Days to store hashes of people: an uploaded file may wait a week for its import. */
const PEOPLE_RETENTION_DAYS = 8;
/** Days after its last order in which a store's system may be reconnected and send orders it hasn't sent yet. */
const SHOP_RETENTION_DAYS = 365;

const LOCK_KEYS = "hashtext('candor.erasure'), hashtext($1)";

/**
 * Waits for transactions that store earlier reads (see `blockErasures`) and blocks new ones until the transaction ends.
 * An erasure does this before it writes its hashes and looks for rows, so either it finds their rows or they find its
 * hashes.
 */
export const blockImports = (db: Db, clientId: string) =>
  db.query(`select pg_advisory_xact_lock(${LOCK_KEYS})`, [clientId]);

/**
 * Waits for a running erasure and blocks new ones until the transaction ends. Call it first in a transaction that
 * stores data read before it, then check the hashes.
 */
export const blockErasures = (db: Db, clientId: string) =>
  db.query(`select pg_advisory_xact_lock_shared(${LOCK_KEYS})`, [clientId]);

/** `blockErasures` for several transactions of one connection. */
export async function withErasuresBlocked<T>(db: PoolClient, clientId: string, work: () => Promise<T>): Promise<T> {
  await db.query(`select pg_advisory_lock_shared(${LOCK_KEYS})`, [clientId]);
  try {
    return await work();
  } finally {
    await db.query(`select pg_advisory_unlock_shared(${LOCK_KEYS})`, [clientId]);
  }
}

/**
 * Database time at the start of a read whose data is stored later; check for erasures since then. Waits for a running
 * erasure, so that data read afterwards doesn't predate it.
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
 * Database time right after a read: the data doesn't include people erased later. Unlike {@link getReadStart} it waits
 * for no lock, since a running erasure counts as either before or after the read.
 */
export async function getDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await db.query<{ moment: Date }>("select clock_timestamp()::timestamptz(3) as moment");
  return (rows[0] as { moment: Date }).moment;
}

/** Records what is erased. For people, repeated erasures update the time. */
export const recordErased = (db: Db, clientId: string, what: ErasedWhat, ids: string[]): Promise<void> =>
  recordErasedHashes(
    db,
    clientId,
    what,
    ids.map((id) => personHash(clientId, what, id)),
  );

/** {@link recordErased} for known hashes. */
export async function recordErasedHashes(db: Db, clientId: string, what: ErasedWhat, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return;
  await db.query({
    name: "record-erased",
    text: `insert into erased_hashes as e (client_id, hash, what, erased_at)
           select $1, hash, $2, clock_timestamp() from unnest($3::text[]) as n(hash) order by hash
           on conflict (client_id, hash) do update set erased_at = excluded.erased_at where e.${IS_PERSON_SQL}`,
    values: [clientId, what, [...new Set(hashes)]],
  });
}

/** SQL condition: the delivery is an order from a commerce integration. */
export const isImportedOrderSql = "type = 'commerce' and outcome = 'imported'";

/**
 * Records when a commerce integration last sent an order, before it is erased, or may have, before the store was moved
 * here: see {@link purgeErased}.
 */
export async function recordLastImport(db: Db, clientId: string, importedAt: Date): Promise<void> {
  await db.query(
    `insert into erased_hashes as e (client_id, hash, what, erased_at) values ($1, 'shop', 'shop', $2)
     on conflict (client_id, hash) do update set erased_at = greatest(e.erased_at, excluded.erased_at)`,
    [clientId, importedAt],
  );
}

/** Returns which ids were erased, with the time of the last erasure. */
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

/** Returns which orders were erased with a person and not posted again since. */
export async function selectErasedOrders(db: Db, clientId: string, ids: string[]): Promise<Set<string>> {
  const erased = await selectErased(db, clientId, "order", ids);
  if (erased.size === 0) return erased;
  for (const id of await selectExisting(db, clientId, [...erased])) erased.delete(id);
  return erased;
}

/** Returns which of these orders exist. */
async function selectExisting(db: Db, clientId: string, ids: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>("select id from orders where client_id = $1 and id = any($2)", [
    clientId,
    ids,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** True if a person was erased since a moment. Rare, so check this before hashing every person. */
export async function hasErasuresSince(db: Db, clientId: string, since: Date): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>({
    name: "erased-people",
    text: `select exists (select from erased_hashes
            where client_id = $1 and ${IS_PERSON_SQL} and erased_at >= $2) as any`,
    values: [clientId, since],
  });
  return rows[0]?.any ?? false;
}

/** A person that data refers to. Erasures at `since` or later count. */
type PersonRef = { customer?: string | null; email?: string | null; since: Date };

/** Returns the entries that refer to a person who was erased since. */
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

/** An order's customer and, if known, `placed`: the latest time it can have been placed. */
type Order = { id: string; customer: { id: string; email?: string | null }; placed?: Date };

/**
 * The latest time an order can have been placed, given that it was read at `read`: another system's clock may be fast.
 */
export const latestPlacedAt = (placed: Date | undefined, read: Date): Date => (placed && placed < read ? placed : read);

/**
 * Returns which orders must not be stored: those erased with a person, and those whose customer was erased after they
 * were placed (or `read`, if that is unknown); the latter are excluded forever. An existing order was posted again
 * since and is excluded only if it was read before. Call it in the storing transaction, after `blockErasures`.
 */
export async function selectBlockedOrders(db: Db, clientId: string, orders: Order[], read: Date): Promise<Set<string>> {
  const ids = orders.map(({ id }) => id);
  const known = await selectErasedOrders(db, clientId, ids);
  const first = orders.reduce((earliest, { placed }) => latestPlacedAt(placed, earliest), read);
  if (!(await hasErasuresSince(db, clientId, first))) return known;
  const existing = await selectExisting(db, clientId, ids);
  const personOfOrder = ({ id, customer, placed }: Order): PersonRef => ({
    customer: customer.id,
    email: customer.email,
    since: existing.has(id) ? read : latestPlacedAt(placed, read),
  });
  const erasedOrderIds = (await filterErasedPeople(db, clientId, orders, personOfOrder)).map(({ id }) => id);
  await recordErased(db, clientId, "order", erasedOrderIds);
  return new Set([...known, ...erasedOrderIds]);
}

/** True if any order was ever erased; if not, there is no need to hash orders. */
export async function hasErasedOrders(db: Db, clientId: string): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>(
    "select exists (select from erased_hashes where client_id = $1 and what = 'order') as any",
    [clientId],
  );
  return rows[0]?.any ?? false;
}

/**
 * Deletes up to `limit` hashes of people, of one client if given, that are no longer needed; returns how many. Until then, a
 * commerce integration may still send orders from before the erasure, also if it is reconnected within a year of its last
 * order, which may be erased itself.
 */
export async function purgeErased(limit = 5_000, clientId: string | null = null): Promise<number> {
  const { rowCount } = await pool().query(
    `delete from erased_hashes where (client_id, hash) in (
       select client_id, hash from erased_hashes e
        where ${IS_PERSON_SQL} and erased_at < now() - make_interval(days => $1) and ($4::text is null or client_id = $4)
          and (what = 'address'
               or not exists (select from integrations i where i.client_id = e.client_id and i.type = 'commerce')
                  and not exists (
                    select from deliveries
                     where client_id = e.client_id and ${isImportedOrderSql}
                       and created_at > now() - make_interval(days => $3))
                  and not exists (
                    select from erased_hashes s
                     where s.client_id = e.client_id and s.hash = 'shop' and s.erased_at > now() - make_interval(days => $3)))
        limit $2)`,
    [PEOPLE_RETENTION_DAYS, limit, SHOP_RETENTION_DAYS, clientId],
  );
  return rowCount ?? 0;
}
