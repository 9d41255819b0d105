import { pool, transaction } from "@/lib/platform/db/pool";
import { type Delivery, deliverEvents } from "@/lib/platform/jobs/deliver-events";
import type { Jobs } from "@/lib/platform/jobs/functions";
import { repeat } from "@/lib/platform/jobs/loop";
import type { JobEvent } from "@/lib/platform/jobs/protocol";
import { wakeSignal } from "@/lib/platform/jobs/wake";

// Takes committed facts from the outbox to the engine. Rows are taken with `skip locked`, so any number of processes
// may do it at once. An event's id is made of its row, so both engines know a second delivery for what it is.

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
 * Hands the facts that are due to the embedded engine, each batch in one transaction with the runs it starts; those
 * that nothing listens to are dropped in bulk. `originId`: only what that run caused. Answers how many left.
 */
export async function relayToEngine(jobs: Jobs, originId: string | null = null): Promise<number> {
  let relayed = 0;
  for (;;) {
    const count = (await dropUnsubscribed(jobs, originId)) + (await deliverDue(jobs, originId));
    if (count === 0) return relayed;
    relayed += count;
  }
}

// Times are kept in whole milliseconds, rounded: a fact of this very moment may lie a fraction of one ahead.
const available = `relayed_at is null and available_at <= now() + interval '1 ms'
  and (taken_until is null or taken_until <= now())`;
const due = `${available} and ($1::text is null or origin_id = $1)`;
const hasSubscriber = "name = any($2)";

/** Removed rather than marked: at thousands of submissions a second a second version of each row would be felt. */
async function dropUnsubscribed(jobs: Jobs, originId: string | null): Promise<number> {
  const done = await pool().query({
    name: "outbox-drop",
    text: `delete from outbox where id in (
             select id from outbox where ${due} and not ${hasSubscriber}
             order by available_at, id limit 1000 for update skip locked)`,
    values: [originId, jobs.eventNames],
  });
  return done.rowCount ?? 0;
}

function deliverDue(jobs: Jobs, originId: string | null): Promise<number> {
  return transaction(async (db) => {
    const { rows } = await db.query<Row>({
      name: "outbox-take",
      text: `select ${columns} from outbox where ${due} and ${hasSubscriber}
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

/** A row taken for Inngest is left alone by others for so long; then it is sent again. */
const LEASE = "30 s";

/**
 * Sends the facts that are due to Inngest. No transaction is open during the call: rows are put out of reach for half a
 * minute, sent, ticked off; a crash between means a second delivery, which Inngest knows by the event's id. What was put
 * out of reach once may have been told, so nobody takes it back. What an operator's command caused is its own to deliver,
 * unless it died. Answers how many left.
 */
export async function relayToInngest(send: (events: JobEvent[]) => Promise<unknown>): Promise<number> {
  let relayed = 0;
  for (;;) {
    const { rows } = await pool().query<Row>({
      name: "outbox-take-for-inngest",
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

/** Sends facts to Inngest as they are committed, until the answered function is called. */
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
