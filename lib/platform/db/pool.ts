import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";

/** A connection or the pool: what a function needs to run a statement. */
export type Db = Pick<pg.Pool, "query">;

const DATE = 1082;
const BIGINT = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") => {
    if (oid === DATE) return (value: string) => value; // a date is a day, not a time in a time zone
    if (oid === BIGINT) return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
} as pg.CustomTypesConfig;

/** The connection pool of this process. Eight connections: more would only add waiting on a small machine. */
export const pool = (): pg.Pool => namedPool("pool", 8, { statement: 60_000 });

/** The transaction of all writes of a call, if requested: see {@link enclosingTransaction}. */
const enclosing = new AsyncLocalStorage<{ db: pg.PoolClient; begin: () => Promise<void> }>();

/**
 * A small pool for writes of a single statement: the server enforces the time limit of {@link transaction}, without the
 * round trips of begin and commit. Waiting for a row lock fails sooner ({@link isLockTimeout}), since the statement may
 * be a batch of many calls of which only one needs that row.
 */
export function writePool(): Db {
  const outer = enclosing.getStore();
  if (!outer) return namedPool("write-pool", 4, { statement: WRITE_MS, lock: LOCK_MS });
  const query = (given: pg.QueryConfig, values?: unknown[]) => joinTransaction(outer, (db) => db.query(given, values));
  return { query: query as Db["query"] };
}

function namedPool(name: string, max: number, timeouts: { statement: number; lock?: number }): pg.Pool {
  return perProcess(name, () => {
    const made = new pg.Pool({
      connectionString: env().DATABASE_URL,
      max,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
      statement_timeout: timeouts.statement,
      ...(timeouts.lock === undefined ? {} : { lock_timeout: timeouts.lock }),
      application_name: "candor",
      types,
      // Prisma Client reads and writes times without an offset, as if every database used UTC.
      onConnect: (db) => db.query("set time zone 'UTC'"),
    });
    made.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
    return made;
  });
}

/** Maximum duration of a write: incremental readers look back five seconds for rows being committed. */
const WRITE_MS = 4_500;
/** How long a write by {@link writePool} may wait for a row lock. */
const LOCK_MS = 1_500;

/**
 * A transaction with a limit of 4.5 seconds; one that takes longer is rolled back (`unavailable`). Incremental readers
 * look back five seconds for rows that were being committed when they passed.
 */
export async function transaction<T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const outer = enclosing.getStore();
  return outer ? joinTransaction(outer, work) : runTransaction(beginImmediately(work), WRITE_MS);
}

/** Runs `work` as a part of the enclosing transaction, in a savepoint. The first part begins the transaction. */
async function joinTransaction<T>(
  { db, begin }: { db: pg.PoolClient; begin: () => Promise<void> },
  work: (db: pg.PoolClient) => Promise<T>,
): Promise<T> {
  await begin();
  await db.query("savepoint joined");
  try {
    const result = await work(db);
    await db.query("release savepoint joined");
    return result;
  } catch (error) {
    // The connection may be gone; only the first error matters.
    await db.query("rollback to savepoint joined").catch(() => undefined);
    throw error;
  }
}

/** Runs a call whose writes by `transaction()` and `writePool()` join the enclosing transaction. */
type Join = <R>(call: () => Promise<R>) => Promise<R>;

/**
 * A connection for a whole call. The call's writes inside `join` are one transaction, together with what `work` then
 * writes by `db`. It begins with the first write, since the 4.5 seconds count from there, and commits when `work` is
 * done; session locks are released. The call doesn't see its own writes by `pool()` and must write sequentially. Uses a
 * separate pool, so that a call that also reads by `pool()` can't wait for itself.
 */
export async function enclosingTransaction<T>(work: (db: pg.PoolClient, join: Join) => Promise<T>): Promise<T> {
  const enclosed: Work<T> = async (db, begin) => work(db, (call) => enclosing.run({ db, begin }, call));
  const unlock = (db: pg.PoolClient) => db.query("select pg_advisory_unlock_all()");
  return runTransaction(enclosed, WRITE_MS, { connections: enclosingPool(), unlock });
}

const enclosingPool = (): pg.Pool => namedPool("enclosing-pool", 4, { statement: 60_000 });

/** Whether the caller's writes belong to an enclosing transaction, so they can't share a statement with other calls. */
export const isInEnclosingTransaction = (): boolean => enclosing.getStore() !== undefined;

/** Runs work shared by many calls (a batch that one of them started) outside any call's transaction. */
export const outsideTransaction = <T>(work: () => T): T => enclosing.exit(work);

/** A transaction without a time limit, for maintenance of rows that no incremental reader reads. */
export async function longTransaction<T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  return runTransaction(beginImmediately(work), null);
}

const endHandlers = new WeakMap<pg.PoolClient, () => void>();

/** Calls `end` when the work in the connection's transaction is done. For code that shares the connection. */
export const onTransactionEnd = (db: pg.PoolClient, end: () => void): void => {
  endHandlers.set(db, end);
};

/** Work on a connection; its transaction begins with the first `begin`. */
type Work<T> = (db: pg.PoolClient, begin: () => Promise<void>) => Promise<T>;

/** Work in a transaction from the start. */
const beginImmediately =
  <T>(work: (db: pg.PoolClient) => Promise<T>): Work<T> =>
  async (db, begin) => {
    await begin();
    return work(db);
  };

async function runTransaction<T>(
  work: Work<T>,
  limit: number | null,
  { connections = pool(), unlock }: { connections?: pg.Pool; unlock?: (db: pg.PoolClient) => Promise<unknown> } = {},
): Promise<T> {
  const db = await connections.connect();
  // A connection that breaks between two statements has no query to reject; without a listener the process would exit.
  const onBroken = (error: Error) => log.warn({ err: error }, "a database connection was lost during a transaction");
  db.on("error", onBroken);
  let timedOut = false;
  let timer: NodeJS.Timeout | undefined;
  let beginQuery: Promise<unknown> | undefined;
  const begin = async () => {
    if (limit !== null && !beginQuery)
      timer = setTimeout(() => {
        timedOut = true;
        db.release(true); // closes the connection, so the server rolls back
      }, limit);
    beginQuery ??= db.query("begin");
    await beginQuery;
  };
  const end = async (how: "commit" | "rollback") => {
    if (beginQuery) await db.query(how);
    await unlock?.(db);
  };
  try {
    const result = await work(db, begin).finally(() => endHandlers.get(db)?.());
    clearTimeout(timer);
    await end("commit");
    if (!timedOut) db.release();
    return result;
  } catch (error) {
    clearTimeout(timer);
    if (timedOut) throw new AppError("unavailable", { reason: "write_timed_out", cause: error });
    await end("rollback").then(
      () => db.release(),
      () => db.release(true),
    );
    throw error;
  } finally {
    db.off("error", onBroken);
  }
}

/** Runs several reads on one consistent snapshot. */
export async function snapshot<T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const db = await pool().connect();
  try {
    await db.query("begin isolation level repeatable read read only");
    const result = await work(db).finally(() => endHandlers.get(db)?.());
    await db.query("commit");
    db.release();
    return result;
  } catch (error) {
    db.release(true); // its state is unknown
    throw error;
  }
}

/** The database's error, unwrapped from Prisma Client's. */
function errorDetails(error: unknown): { code: string; constraint?: string | undefined; message: string } {
  const {
    code,
    constraint,
    message = "",
    meta,
  } = (error ?? {}) as {
    code?: unknown;
    constraint?: string;
    message?: string;
    meta?: { driverAdapterError?: { cause: { originalCode?: string; constraint?: { index?: string } } } };
  };
  const wrapped = meta?.driverAdapterError?.cause;
  const known = wrapped?.originalCode ?? code;
  return {
    code: typeof known === "string" ? known : "", // other errors have numeric codes
    constraint: wrapped?.constraint?.index ?? constraint,
    message,
  };
}

/** The database's code of an error (`23505`), the system's (`ECONNRESET`), or "". */
export const databaseCode = (error: unknown): string => errorDetails(error).code;

/**
 * Whether an error means that the database is unavailable or overloaded (a statement timed out), not that the statement
 * is invalid.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = errorDetails(error);
  return (
    [
      "ECONNREFUSED",
      "ECONNRESET",
      "EPIPE",
      "ETIMEDOUT",
      "ENOTFOUND",
      "P1001", // these three are Prisma Client's codes
      "P1008",
      "P1017",
      "57P01",
      "57P02",
      "57P03",
      "53100", // disk full
      "53300",
      "57014",
    ].includes(code) ||
    code.startsWith("08") ||
    /timeout exceeded when trying to connect|Connection terminated|is not queryable|Cannot use a pool after calling end/.test(
      message,
    )
  );
}

/**
 * Whether PostgreSQL rolled back a write because of a deadlock or serialization conflict: an immediate retry may
 * succeed.
 */
export const isSerializationFailure = (error: unknown): boolean => ["40P01", "40001"].includes(databaseCode(error));

/** Whether a write failed because a row it needs is locked. Nothing was written. */
export const isLockTimeout = (error: unknown): boolean => databaseCode(error) === "55P03";

/** Whether an error is a violation of the named unique key (of any, without a name). */
export function isDuplicate(error: unknown, name?: string): boolean {
  const { code, constraint } = errorDetails(error);
  return code === "23505" && (name === undefined || constraint === name);
}
