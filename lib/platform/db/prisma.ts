import { AsyncLocalStorage } from "node:async_hooks";
import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import pg from "pg";
import type { Prisma, PrismaClient } from "@/lib/platform/db/generated/client";
import { type Db, onTransactionEnd, transaction as plainTransaction, pool } from "@/lib/platform/db/pool";
import { perProcess } from "@/lib/platform/process";

// Prisma Client for what is calm: accounts, settings, templates. What is hot or set-shaped is SQL; lib/README.md says which.

/** What a verb needs of Prisma Client, in a transaction or out of it. */
export type Models = Prisma.TransactionClient;

/**
 * Prisma Client on this very connection: what it writes is part of the transaction that is open there, together with raw
 * statements and outbox events. With the pool it takes a connection of the pool's.
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
 * A transaction in which {@link prisma} is used. Loads Prisma Client before it begins: the seconds that a write may take
 * count from there.
 */
export async function transaction<T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  await client();
  return plainTransaction(work);
}

const isClient = (db: Db): db is pg.PoolClient => "release" in db;

/** The parts of the transactions that are open. */
const parts = perProcess("prisma-parts", () => new WeakMap<pg.PoolClient, Promise<Models>>());
/** The connection whose transaction Prisma Client is about to join. One a process, as Prisma Client is. */
const joining = () => perProcess("prisma-joining", () => new AsyncLocalStorage<pg.PoolClient>());
/** `transaction()` says when a transaction is over, not Prisma Client. */
const FOREVER = 2 ** 31 - 1;

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
    const limits = { maxWait: FOREVER, timeout: FOREVER };
    joining()
      .run(db, async () => (await client()).$transaction(work, limits))
      .catch(reject);
  });
}

/** Loaded when it is first needed: it costs a third of a second and 80 MB. One a process, on the pool's connections. */
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
      errorFormat: "minimal", // the others read our source to quote it
    });
  });

/** A transaction of Prisma Client's that is part of the connection's: it begins and ends nothing itself. */
const joined = (adapter: SqlDriverAdapter, db: pg.PoolClient): Transaction =>
  Object.assign(Object.create(adapter), {
    client: db, // where the adapter's methods send their statements
    options: { usePhantomQuery: true },
    commit: async () => undefined,
    rollback: async () => undefined,
  });
