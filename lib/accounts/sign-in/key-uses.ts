import { LRUCache } from "lru-cache";
import { CHECK_EVERY_READ } from "@/lib/platform/db/cache";
import { pool } from "@/lib/platform/db/pool";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";

/** How often the use of a key is recorded, by all processes together. */
const MINUTE_MS = 60_000;
/** How long uses are collected before one statement writes them. */
const FLUSH_AFTER_MS = 1_000;

type Uses = { recent: LRUCache<string, true>; pendingIds: Set<string>; timer: NodeJS.Timeout | null };

const uses = () =>
  perProcess<Uses>("key-uses", () => ({
    recent: new LRUCache<string, true>({ max: 50_000, ttl: MINUTE_MS, ttlResolution: CHECK_EVERY_READ }),
    pendingIds: new Set(),
    timer: null,
  }));

/** Records that a key was used: at most once a minute, without delaying the request. */
export function recordKeyUse(id: string): void {
  const { recent, pendingIds, timer } = uses();
  if (recent.has(id)) return;
  recent.set(id, true);
  pendingIds.add(id);
  if (timer) return;
  uses().timer = setTimeout(() => {
    writeKeyUses().catch((error) => log.warn({ err: error }, "could not record API key usage"));
  }, FLUSH_AFTER_MS);
  uses().timer?.unref(); // doesn't keep the process alive; a server writes when it stops
}

/** Writes the collected uses in one statement; skips keys that another process recorded within the minute. */
export async function writeKeyUses(): Promise<void> {
  const { pendingIds, timer } = uses();
  if (timer) clearTimeout(timer);
  uses().timer = null;
  if (pendingIds.size === 0) return;
  const ids = [...pendingIds];
  pendingIds.clear();
  // A locked row is being updated by another process.
  await pool().query(
    `update api_keys set last_used_at = now() where id in (
       select id from api_keys
        where id = any($1) and (last_used_at is null or last_used_at < now() - interval '1 minute')
          for no key update skip locked)`,
    [ids],
  );
}
