import { randomInt } from "node:crypto";
import pg from "pg";
import { registerLeaseHolder } from "@/lib/platform/db/lease-holder";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { engineLock } from "./sql";

/**
 * What proves to others that this engine lives: a connection of its own that holds an advisory lock under the engine's
 * number. The lock ends with the process however it ends, so its runs are taken over at once and not before.
 */
export class EngineSession {
  #client: pg.Client | null = null;
  #number: number | null = null;
  #closed = false;

  /** The number to hold runs under, or null while the database is away. */
  get number(): number | null {
    return this.#number;
  }

  /** Connects and takes a number. Throws when the database is away. After that a lost connection is made anew. */
  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: env().DATABASE_URL,
      application_name: "candor engine",
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client.on("error", (error) => log.warn({ err: error }, "the engine lost its database connection"));
    client.on("end", () => this.#lost(client));
    await client.connect();
    let number: number;
    do {
      number = randomInt(1, 2 ** 31 - 1);
    } while (!(await tryLock(client, number)));
    await registerLeaseHolder(client);
    this.#client = client;
    this.#number = number;
    if (this.#closed) await client.end();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#number = null;
    await this.#client?.end();
  }

  /** With the connection went the lock: runs held under the old number are others' to take. */
  #lost(client: pg.Client): void {
    if (this.#closed || (this.#client !== null && this.#client !== client)) return;
    if (this.#client === null) return; // never was open: `open` throws
    this.#client = null;
    this.#number = null;
    const reopen = () => {
      if (this.#closed) return;
      this.open().catch(() => setTimeout(reopen, 1_000).unref());
    };
    reopen();
  }
}

async function tryLock(client: pg.Client, number: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1::int, $2::int) as locked", [
    engineLock,
    number,
  ]);
  return rows[0]?.locked === true;
}
