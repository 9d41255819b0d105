import { pool, transaction } from "@/lib/platform/db/pool";
import { type Delivery, deliverEvents } from "@/lib/platform/jobs/deliver-events";
import type { Jobs } from "@/lib/platform/jobs/functions";
import { repeat } from "@/lib/platform/jobs/loop";
import type { JobEvent } from "@/lib/platform/jobs/protocol";
import { wakeSignal } from "@/lib/platform/jobs/wake";

// Relays committed events from the outbox to the engine. Selects rows with `skip locked`, so any number of processes
// can relay concurrently. An event's id contains its row's id, so both engines recognize a duplicate delivery.

type Row = {
  id: number;
  name: string;
  data: Record<string, unknown>;
  created_at: Date;
  origin_id: string | null;
  shift: number | null;
};

const columns = `id, name, data, created_at, origin_id,
  extract(epoch from clock_at - created_at)::float8 * 1000 as shift`;

/**
 * Delivers due events to the embedded engine, each batch in one transaction with the runs it starts; drops events
 * without subscribers in bulk. `originId`: only events of that run. Returns the number of relayed events.
 */
export async function relayToEngine(jobs: Jobs, originId: string | null = null): Promise<number> {
  let relayed = 0;
  for (;;) {
    const count = (await dropUnsubscribed(jobs, originId)) + (await deliverDue(jobs, originId));
    if (count === 0) return relayed;
    relayed += count;
  }
}

// Times are stored rounded to milliseconds: an event of this moment may be a fraction of one ahead.
const available = `relayed_at is null and available_at <= now() + interval '1 ms'
  and (taken_until is null or taken_until <= now())`;
const due = `${available} and ($1::text is null or origin_id = $1)`;
const hasSubscriberSql = "name = any($2)";

/**
 * Deletes rather than marks: at thousands of submissions per second, another version of each row would be expensive.
 */
async function dropUnsubscribed(jobs: Jobs, originId: string | null): Promise<number> {
  const done = await pool().query({
    name: "outbox-drop",
    text: `delete from outbox where id in (
             select id from outbox where ${due} and not ${hasSubscriberSql}
             order by available_at, id limit 1000 for update skip locked)`,
    values: [originId, jobs.eventNames],
  });
  return done.rowCount ?? 0;
}

function deliverDue(jobs: Jobs, originId: string | null): Promise<number> {
  return transaction(async (db) => {
    const { rows } = await db.query<Row>({
      name: "outbox-claim",
      text: `select ${columns} from outbox where ${due} and ${hasSubscriberSql}
             order by available_at, id limit 100 for update skip locked`,
      values: [originId, jobs.eventNames],
    });
    if (rows.length === 0) return 0;
    await deliverEvents(db, jobs, rows.map(toDelivery));
    await db.query("update outbox set relayed_at = now() where id = any($1)", [rows.map(({ id }) => id)]);
    return rows.length;
  });
}

const toDelivery = (row: Row): Delivery => ({
  event: toEvent(row),
  originId: row.origin_id,
  clockShift: row.shift,
});

const toEvent = ({ id, name, data, created_at }: Row): JobEvent => ({
  id: `outbox-${id}`,
  name,
  data,
  ts: created_at.getTime(),
});

/** How long a row taken for Inngest is locked for others; then it is sent again. */
const LEASE = "30 s";

/**
 * Sends due events to Inngest, without a transaction during the call: locks rows for half a minute (`taken_until`),
 * sends them, marks them as relayed. A crash between causes a duplicate, which Inngest recognizes by the event's id. A
 * locked event may have been sent, so it is never withdrawn. Events of an admin command are delivered by the command,
 * unless it died. Returns the number of relayed events.
 */
export async function relayToInngest(send: (events: JobEvent[]) => Promise<unknown>): Promise<number> {
  let relayed = 0;
  for (;;) {
    const { rows } = await pool().query<Row>({
      name: "outbox-claim-for-inngest",
      text: `update outbox set taken_until = now() + interval '${LEASE}' where id = any(array(
               select id from outbox where ${available}
                 and (origin_id is null or created_at < now() - interval '10 min')
               order by available_at, id limit 100 for update skip locked))
             returning ${columns}`,
    });
    if (rows.length === 0) return relayed;
    await send(rows.sort((a, b) => a.id - b.id).map(toEvent));
    await pool().query("update outbox set relayed_at = now() where id = any($1)", [rows.map(({ id }) => id)]);
    relayed += rows.length;
  }
}

/** Sends events to Inngest as they are committed, until the returned function is called. */
export function startRelay(send: (events: JobEvent[]) => Promise<unknown>): () => Promise<void> {
  const stopped = new AbortController();
  const loop = repeat("outbox", () => relayToInngest(send), {
    milliseconds: 1_000,
    signal: wakeSignal("outbox"),
    stopped: stopped.signal,
  });
  return async () => {
    stopped.abort();
    await loop;
  };
}
