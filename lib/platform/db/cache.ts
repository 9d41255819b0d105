import { LRUCache } from "lru-cache";
import pg from "pg";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";

/** Maximum age of a cached row, even if a notification is lost. */
const TTL_MS = 1_000;

/**
 * `ttlResolution` for caches read by requests: reads the clock at each lookup. The default reads it once per
 * millisecond with a timer, which under load means a timer per request.
 */
export const CHECK_EVERY_READ = 0;

type Topic = "client" | "user" | "key";
type Listener = { drop: (topic: Topic, id: string) => unknown; dropAll: () => void };

const listeners = () => perProcess("cache-listeners", () => new Set<Listener>());

/**
 * A cache of database rows (clients, keys, users) that every request needs. A changed row is dropped on NOTIFY from a
 * trigger, and after a second in any case. `load` returns null if there is no row; that is cached too. `topics` returns
 * the rows that a value depends on, as `kind:id`.
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
        loading.clear(); // a running load may have read the row before the change
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
 * Drops a row from this process's caches, for a writer to call after its commit: the notification can arrive later than
 * the next request.
 */
export function dropCached(topic: Topic, id: string): void {
  for (const listener of listeners()) listener.drop(topic, id);
}

/**
 * Calls `drop` with the id of each client whose settings changed or that erased a person, and `dropAll` if
 * notifications may have been lost. For responses cached by version, which would otherwise stay unused in memory.
 */
export function onClientChanged(drop: (clientId: string) => void, dropAll: () => void): void {
  listeners().add({ drop: (topic, id) => topic === "client" && drop(id), dropAll });
}

/** Listens for changes by any process. If the connection is lost, clears the caches and reconnects. */
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
        dropCached(topic as Topic, id.join(":"));
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
