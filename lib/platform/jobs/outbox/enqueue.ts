import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { clockShift, runContext } from "@/lib/platform/jobs/context";
import { withDerivedEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { events, type OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import { wakeSignal } from "@/lib/platform/jobs/wake";

/**
 * Writes outbox events in the caller's transaction; the relay delivers each at least once after the commit. Then call
 * `wakeRelay()` if a second's delay matters.
 */
export async function enqueue(db: Db, outboxEvents: OutboxEvent[]): Promise<void> {
  if (outboxEvents.length === 0) return;
  await db.query({
    name: "enqueue",
    text: `with ${insertOutboxEvents("$1")} select`,
    values: [outboxRows(outboxEvents)],
  });
}

/**
 * CTEs that write outbox events, for functions that write everything in one statement; {@link outboxRows} is the
 * parameter. `condition`: SQL on an event `e`, for those that are written only sometimes.
 */
export const insertOutboxEvents = (parameter: `$${number}`, condition = "true"): string =>
  withDerivedEvents(`insert into outbox (client_id, name, data, available_at, origin_id, clock_at)
   select e.data->>'client_id', e.name, e.data, now() + coalesce(e.delay_seconds, 0) * interval '1 s', e.origin_id, e.clock_at
   from jsonb_to_recordset(${parameter}::jsonb)
     as e(name text, data jsonb, delay_seconds float8, origin_id text, clock_at timestamptz)
   where ${condition}`);

/**
 * The parameter of {@link insertOutboxEvents}: outbox events as JSON, with the origin and clock of the current run.
 * Throws if an event's data doesn't match its schema.
 */
export function outboxRows(outboxEvents: OutboxEvent[]): string {
  const inherited = {
    origin_id: runContext()?.originId ?? null,
    clock_at: clockShift() === null ? null : now().toISOString(),
  };
  return JSON.stringify(
    outboxEvents.map(({ name, data, delay_seconds }) => ({
      name,
      data: events[name].parse(data),
      delay_seconds,
      ...inherited,
    })),
  );
}

/**
 * Wakes this process's relay. Call it after the commit if a second's delay matters; otherwise events are relayed within
 * about a second.
 */
export const wakeRelay = (): void => wakeSignal("outbox").wake();

/**
 * SQL condition: an outbox event isn't due and wasn't sent, so it can be withdrawn. Uses clock_timestamp(), since the
 * transaction may have waited for locks after it began; an event with `taken_until` may have been sent although it
 * isn't marked as relayed. now() is for the index, which can't use clock_timestamp(), and skips all events that are due
 * while Inngest is unavailable.
 */
export const notYetAvailableSql =
  "relayed_at is null and taken_until is null and available_at > now() and available_at > clock_timestamp() + interval '1 ms'";
