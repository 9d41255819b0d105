import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { clockShift, runContext } from "@/lib/platform/jobs/context";
import { withDerivedEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { events, type OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import { wakeSignal } from "@/lib/platform/jobs/wake";

/**
 * Writes facts inside the caller's transaction; the relay delivers each at least once after the commit. After it, call
 * `wakeRelay()` where a second's delay would be felt.
 */
export async function enqueue(db: Db, outboxEvents: OutboxEvent[]): Promise<void> {
  if (outboxEvents.length === 0) return;
  await db.query({
    name: "enqueue",
    text: `with ${insertOutboxEvents("$1")} select`,
    values: [outboxRows(outboxEvents)],
  });
}

/** CTEs that write facts, for verbs that write everything in one statement; {@link outboxRows} is the parameter. */
export const insertOutboxEvents = (parameter: `$${number}`): string =>
  withDerivedEvents(`insert into outbox (client_id, name, data, available_at, origin_id, clock_at)
   select e.data->>'client_id', e.name, e.data, now() + coalesce(e.delay_seconds, 0) * interval '1 s', e.origin_id, e.clock_at
   from jsonb_to_recordset(${parameter}::jsonb)
     as e(name text, data jsonb, delay_seconds float8, origin_id text, clock_at timestamptz)`);

/**
 * The parameter of {@link insertOutboxEvents}: facts as JSON, with what a fact inherits from the run it is written in.
 * Throws when a fact is not of its event's shape.
 */
export function outboxRows(facts: OutboxEvent[]): string {
  const inherited = {
    origin_id: runContext()?.originId ?? null,
    clock_at: clockShift() === null ? null : now().toISOString(),
  };
  return JSON.stringify(
    facts.map(({ name, data, delay_seconds }) => ({
      name,
      data: events[name].parse(data),
      delay_seconds,
      ...inherited,
    })),
  );
}

/**
 * Tells this process's relay that facts were committed: call it after the commit where a second's delay would be felt.
 * Without it they leave within about a second.
 */
export const wakeRelay = (): void => wakeSignal("outbox").wake();

/**
 * The condition that a fact was told to nobody and will not be before it is taken back: its time has not come. By the clock
 * rather than by the beginning of the transaction, which may have waited for rows meanwhile, and once more for a fact that
 * was waited for and taken. One that was taken may have been told, though it is not ticked off yet. The clock is no bound
 * that an index can be asked for; the beginning of the transaction is, and spares all that waits while Inngest is away.
 */
export const notYetAvailable =
  "relayed_at is null and taken_until is null and available_at > now() and available_at > clock_timestamp() + interval '1 ms'";
