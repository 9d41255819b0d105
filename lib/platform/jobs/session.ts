import { randomInt } from "node:crypto";
import pg from "pg";
import { registerLeaseHolder } from "@/lib/platform/db/lease-holder";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { engineLock } from "./sql";

/**
 * Proves that this engine is alive: a separate connection holds an advisory lock on the engine's number. The lock ends
 * with the process in any case, so its runs are taken over immediately, and not before.
 */
export class EngineSession {
  #client: pg.Client | null = null;
  #number: number | null = null;
  #closed = false;

  /** The engine number that holds runs. Null while the database is unavailable. */
  get number(): number | null {
    return this.#number;
  }

  /** Connects and locks a number. Throws if the database is unavailable. Later reconnects automatically. */
  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: env().DATABASE_URL,
      application_name: "candor engine",
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client.on("error", (error) => log.warn({ err: error }, "the engine lost its database connection"));
    client.on("end", () => this.#onConnectionLost(client));
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

  /** The lock is lost with the connection: other engines may take runs held under the old number. */
  #onConnectionLost(client: pg.Client): void {
    if (this.#closed || (this.#client !== null && this.#client !== client)) return;
    if (this.#client === null) return; // was never open: `open` throws
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
