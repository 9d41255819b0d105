import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Db, pool } from "@/lib/platform/db/pool";
import { createPurge } from "@/lib/platform/db/purge";
import { lastingKey } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";

// Partners limit calls per credential, which several clients and processes may share. So each credential has a row with
// its next free time; a caller advances it and waits for the time it got.

/** The stored key of a credential: an HMAC, so that the credential can't be read or guessed from it. */
export const rateLimitKey = (partner: string, credential: string): string =>
  createHmac("sha256", lastingKey("pace/1")).update(`${partner}\n${credential}`).digest("hex");

/** Maximum wait: a person waits for the response, or a job that can be retried. */
const MAX_WAIT_MS = 20_000;

/**
 * Waits until the partner may be called: calls with one key are at least `1000 / perSecond` milliseconds apart. Throws
 * `unavailable` immediately if that is more than twenty seconds away, as after a partner's long Retry-After.
 */
export async function waitForRateLimit(key: string, perSecond: number): Promise<void> {
  const { rows } = await pool().query<{ wait: number }>({
    name: "pace",
    text: `insert into partner_paces as p (key, next_at) values ($1, clock_timestamp() + $2 * interval '1 ms')
           on conflict (key) do update set next_at = greatest(p.next_at, clock_timestamp()) + $2 * interval '1 ms'
           returning extract(epoch from next_at - $2 * interval '1 ms' - clock_timestamp())::float8 * 1000 as wait`,
    values: [key, 1_000 / perSecond],
  });
  const wait = rows[0]?.wait ?? 0;
  if (wait > MAX_WAIT_MS) {
    const seconds = Math.ceil(wait / 1_000);
    throw new AppError("unavailable", {
      reason: "asked_to_wait",
      params: { seconds },
      headers: { "Retry-After": String(seconds) },
    });
  }
  if (wait > 0) await sleep(wait);
}

/**
 * Reserves `count` times, `every` milliseconds apart, in the caller's transaction. Returns the first. Other callers
 * with the key wait for that transaction to end.
 */
export async function reserveTimes(db: Db, key: string, count: number, every: number): Promise<Date> {
  const { rows } = await db.query<{ first: Date }>({
    name: "pace-turns",
    text: `insert into partner_paces as p (key, next_at) values ($1, clock_timestamp() + $2 * interval '1 ms')
           on conflict (key) do update set next_at = greatest(p.next_at, clock_timestamp()) + $2 * interval '1 ms'
           returning next_at - $2 * interval '1 ms' as first`,
    values: [key, count * every],
  });
  return rows[0]?.first ?? new Date();
}

/** Blocks calls with this key for `seconds`, after the partner's "too many requests". */
export async function postponeRequests(key: string, seconds: number): Promise<void> {
  await pool().query(
    `insert into partner_paces as p (key, next_at) values ($1, clock_timestamp() + $2 * interval '1 s')
     on conflict (key) do update set next_at = greatest(p.next_at, excluded.next_at)`,
    [key, seconds],
  );
}

/** Deletes expired rows. */
export const purgePaces = createPurge("partner_paces", { key: "key", timeColumn: "next_at", maxAge: "1 day" });
