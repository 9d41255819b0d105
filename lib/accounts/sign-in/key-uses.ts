import { LRUCache } from "lru-cache";
import { CHECK_EVERY_READ } from "@/lib/platform/db/cache";
import { pool } from "@/lib/platform/db/pool";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";

/** How often a key's use is written down, by all processes together. */
const MINUTE_MS = 60_000;
/** How long uses are gathered before they are written in one statement. */
const FLUSH_AFTER_MS = 1_000;

type Uses = { recent: LRUCache<string, true>; waiting: Set<string>; timer: NodeJS.Timeout | null };

const uses = () =>
  perProcess<Uses>("key-uses", () => ({
    recent: new LRUCache<string, true>({ max: 50_000, ttl: MINUTE_MS, ttlResolution: CHECK_EVERY_READ }),
    waiting: new Set(),
    timer: null,
  }));

/** Remembers that a key was used: at most once a minute, and never in the way of the request. */
export function recordKeyUse(id: string): void {
  const { recent, waiting, timer } = uses();
  if (recent.has(id)) return;
  recent.set(id, true);
  waiting.add(id);
  if (timer) return;
  uses().timer = setTimeout(() => {
    writeKeyUses().catch((error) => log.warn({ err: error }, "could not record API key usage"));
  }, FLUSH_AFTER_MS);
  uses().timer?.unref(); // a process that ends does not wait for it; a server writes when it stops
}

/** Writes down what was remembered, in one statement: keys that another process noted within the minute are left alone. */
export async function writeKeyUses(): Promise<void> {
  const { waiting, timer } = uses();
  if (timer) clearTimeout(timer);
  uses().timer = null;
  if (waiting.size === 0) return;
  const ids = [...waiting];
  waiting.clear();
  // One that is locked is being noted at this moment.
  await pool().query(
    `update api_keys set last_used_at = now() where id in (
       select id from api_keys
        where id = any($1) and (last_used_at is null or last_used_at < now() - interval '1 minute')
          for no key update skip locked)`,
    [ids],
  );
}
