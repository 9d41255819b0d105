import { LRUCache } from "lru-cache";
import pg from "pg";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";

/** No copy of a settings row is trusted for longer than this, whether or not the database's news arrived. */
const TTL_MS = 1_000;

/**
 * For `ttlResolution` of a cache that requests ask: the clock is read at each look-up. By default it is read once a
 * millisecond, with a timer to tell when that is over, which under load is a timer for every request.
 */
export const CHECK_EVERY_READ = 0;

type Topic = "client" | "user" | "key";
type Listener = { drop: (topic: Topic, id: string) => unknown; dropAll: () => void };

const listeners = () => perProcess("cache-listeners", () => new Set<Listener>());

/**
 * A small memory of database rows (clients, keys, users) that are needed on every request. A row changed anywhere is
 * dropped as soon as the database says so (NOTIFY from a trigger) and after a second in any case.
 * `load` answers null for a row that does not exist; that is remembered too.
 * `topics` names the rows a value was made of, as `kind:id`.
 */
export function rowCache<T extends object>(
  name: string,
  load: (key: string) => Promise<T | null>,
  topics: (key: string, value: T | null) => string[],
): { get: (key: string) => Promise<T | null>; clear: () => void } {
  return perProcess(`cache:${name}`, () => {
    type Entry = { value: T | null; topics: string[] };
    const rows = new LRUCache<string, Entry>({ max: 10_000, ttl: TTL_MS, ttlResolution: CHECK_EVERY_READ });
    const loading = new Map<string, Promise<T | null>>();
    const listener: Listener = {
      drop: (topic, id) => {
        const changedTopic = `${topic}:${id}`;
        loading.clear(); // a load under way may have read the row before it changed
        for (const [key, entry] of rows.entries()) if (entry.topics.includes(changedTopic)) rows.delete(key);
      },
      dropAll: () => {
        loading.clear();
        rows.clear();
      },
    };
    listeners().add(listener);
    return {
      get: (key) => {
        const held = rows.get(key);
        if (held) return Promise.resolve(held.value);
        const running = loading.get(key);
        if (running) return running;
        const started: Promise<T | null> = load(key).then(
          (value) => {
            if (loading.get(key) === started) {
              loading.delete(key);
              rows.set(key, { value, topics: topics(key, value) });
            }
            return value;
          },
          (error) => {
            loading.delete(key);
            throw error;
          },
        );
        loading.set(key, started);
        return started;
      },
      clear: listener.dropAll,
    };
  });
}

/**
 * Calls `drop` with the id of each client whose settings changed or who had somebody erased, and `dropAll` when such news
 * may have been lost: for answers that are kept by a version of their own and would only lie there unused.
 */
export function onClientChanged(drop: (clientId: string) => void, dropAll: () => void): void {
  listeners().add({ drop: (topic, id) => topic === "client" && drop(id), dropAll });
}

/** Listens for changes made by any process. Losing the connection empties the caches; it is made again by itself. */
export function startCacheListener(): () => Promise<void> {
  return perProcess("cache-listener", () => {
    let stopped = false;
    let current: pg.Client | null = null;
    let retry: NodeJS.Timeout | null = null;
    const dropAll = () => {
      for (const listener of listeners()) listener.dropAll();
    };
    const connect = async () => {
      const client = new pg.Client({
        connectionString: env().DATABASE_URL,
        application_name: "candor-notifications",
        keepAlive: true,
      });
      current = client;
      const reconnect = (error?: unknown) => {
        if (stopped || current !== client) return;
        current = null;
        dropAll();
        if (error) log.warn({ err: error }, "lost the connection for database notifications; reconnecting");
        retry = setTimeout(() => void connect(), 500);
        client.end().catch(() => undefined); // already broken
      };
      client.on("error", reconnect);
      client.on("end", () => reconnect());
      client.on("notification", ({ payload }) => {
        const [topic = "", ...id] = (payload ?? "").split(":");
        for (const listener of listeners()) listener.drop(topic as Topic, id.join(":"));
      });
      try {
        await client.connect();
        await client.query("listen candor_cache");
        dropAll();
      } catch (error) {
        reconnect(error);
      }
    };
    void connect();
    return async () => {
      stopped = true;
      if (retry) clearTimeout(retry);
      await current?.end();
    };
  });
}
