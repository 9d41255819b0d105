import { AsyncLocalStorage } from "node:async_hooks";
import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import pg from "pg";
import type { Prisma, PrismaClient } from "@/lib/platform/db/generated/client";
import { type Db, onTransactionEnd, transaction as plainTransaction, pool } from "@/lib/platform/db/pool";
import { perProcess } from "@/lib/platform/process";

// Prisma Client for rarely used tables: accounts, settings, templates. Frequent or set-based statements are SQL; see
// lib/README.md.

/** Prisma Client's models, inside or outside a transaction. */
export type Models = Prisma.TransactionClient;

/**
 * Prisma Client on this connection: its writes join the open transaction, together with SQL statements and outbox
 * events. With the pool it uses one of the pool's connections.
 */
export async function prisma(db: Db = pool()): Promise<Models> {
  if (db instanceof pg.Pool) return client();
  if (!isClient(db)) throw new TypeError("Prisma Client needs the pool or the connection of a transaction");
  let part = parts.get(db);
  if (!part) {
    part = join(db);
    parts.set(db, part);
  }
  return part;
}

/**
 * A transaction that uses {@link prisma}. Loads Prisma Client before it begins, since the time limit of a write counts
 * from there.
 */
export async function transaction<T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  await client();
  return plainTransaction(work);
}

const isClient = (db: Db): db is pg.PoolClient => "release" in db;

/** Prisma Client's part of each open transaction. */
const parts = perProcess("prisma-parts", () => new WeakMap<pg.PoolClient, Promise<Models>>());
/** The connection whose transaction Prisma Client is about to join. One per process, like Prisma Client. */
const joining = () => perProcess("prisma-joining", () => new AsyncLocalStorage<pg.PoolClient>());
/** `transaction()` limits a transaction's duration, not Prisma Client. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

function join(db: pg.PoolClient): Promise<Models> {
  const over = new Promise<void>((resolve) =>
    onTransactionEnd(db, () => {
      parts.delete(db);
      resolve();
    }),
  );
  return new Promise((resolve, reject) => {
    const work = async (models: Models) => {
      resolve(models);
      await over;
    };
    const limits = { maxWait: NO_TIMEOUT_MS, timeout: NO_TIMEOUT_MS };
    joining()
      .run(db, async () => (await client()).$transaction(work, limits))
      .catch(reject);
  });
}

/** Loaded on first use: it costs a third of a second and 80 MB. One per process, on the pool's connections. */
const client = (): Promise<PrismaClient> =>
  perProcess("prisma", async () => {
    const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
      import("@prisma/adapter-pg"),
      import("@/lib/platform/db/generated/client"),
    ]);
    class Joining extends PrismaPg {
      override async connect() {
        const adapter = await super.connect();
        const begin = adapter.startTransaction.bind(adapter);
        adapter.startTransaction = async (level) => {
          const db = joining().getStore();
          return db ? joined(adapter, db) : begin(level);
        };
        return adapter;
      }
    }
    return new PrismaClient({
      adapter: new Joining(pool()),
      errorFormat: "minimal", // other formats read the source code to quote it
    });
  });

/** A Prisma Client transaction that is part of the connection's: it begins and ends nothing itself. */
const joined = (adapter: SqlDriverAdapter, db: pg.PoolClient): Transaction =>
  Object.assign(Object.create(adapter), {
    client: db, // where the adapter sends its statements
    options: { usePhantomQuery: true },
    commit: async () => undefined,
    rollback: async () => undefined,
  });
