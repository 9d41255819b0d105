import { now } from "@/lib/platform/clock";
import { leaseHolder } from "@/lib/platform/db/lease-holder";
import { pool } from "@/lib/platform/db/pool";
import { LEASE_MS } from "@/lib/platform/db/with-lease";
import type { OutgoingMail } from "@/lib/platform/mail/provider";

export type MailToSend = OutgoingMail & {
  status: "kept" | "queued" | "sent" | "failed";
  batch: string | null;
  handed_for_ms: number | null;
  /** milliseconds since the first attempt with an unknown result */
  doubtful_for_ms: number | null;
  /** of a test store: only for the mailbox */
  test: boolean;
};

// Leases use the database's clock, since they concern processes, not the service's own time.
const columns = `id, idempotency_key, "to", "from", reply_to, subject, html, text, headers, status, batch,
  (extract(epoch from clock_timestamp() - handed_at) * 1000)::float8 as handed_for_ms,
  (extract(epoch from clock_timestamp() - least(doubtful_since, handed_at)) * 1000)::float8 as doubtful_for_ms,
  exists (select from clients c where c.id = mails.client_id and c.test_days is not null) as test`;
const free = `(handed_at is null or handed_at < clock_timestamp() - interval '${LEASE_MS} ms')`;

export async function selectMails(ids: string[]): Promise<MailToSend[]> {
  const { rows } = await pool().query<MailToSend>(`select ${columns} from mails where id = any($1) order by id`, [ids]);
  return rows;
}

/** The emails of a batch with an unknown result, in the order they were sent. */
export async function selectBatch(batch: string): Promise<MailToSend[]> {
  const { rows } = await pool().query<MailToSend>(
    `select ${columns} from mails where batch = $1 and status = 'queued' order by id`,
    [batch],
  );
  return rows;
}

/** Moves queued emails to the mailbox. Returns the state of each existing email. */
export async function moveToMailbox(
  ids: string[],
): Promise<[id: string, state: "kept" | "sent" | "failed" | "busy"][]> {
  await pool().query("update mails set status = 'kept' where id = any($1) and status = 'queued'", [ids]);
  return (await selectMails(ids)).map(({ id, status }) => [id, status === "queued" ? "busy" : status]);
}

/**
 * Leases unheld emails for one call, under its key. Returns the leased ids. An email that may have been sent is retried
 * only with its own key: alone, or with its batch.
 */
export async function acquireLeases(ids: string[], provider: string, batch: string | null): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `with held as (select id from mails where id = any($1) and status = 'queued' and batch is null and ${free}
                      and (cardinality($1::text[]) = 1 or (handed_at is null and doubtful_since is null)) order by id for update)
     update mails m set handed_at = clock_timestamp(), leased_by = $4, attempts = attempts + 1, provider = $2,
            batch = case when (select count(*) from held) > 1 then $3 end,
            doubtful_since = coalesce(least(doubtful_since, handed_at), clock_timestamp())
       from held where m.id = held.id returning m.id`,
    [ids, provider, batch, leaseHolder()],
  );
  return rows.map(({ id }) => id);
}

/** Leases all emails of a batch, or none if one of them is held. */
export async function acquireBatchLease(batch: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `with held as (select id, handed_at from mails where batch = $1 and status = 'queued' order by id for update)
     update mails m set handed_at = clock_timestamp(), leased_by = $2, attempts = attempts + 1,
            doubtful_since = coalesce(least(m.doubtful_since, m.handed_at), clock_timestamp())
       from held where m.id = held.id
        and (select bool_and(${free}) from held) returning m.id`,
    [batch, leaseHolder()],
  );
  return rows.map(({ id }) => id);
}

/** Renews unexpired leases. Skips locked rows until the next time. */
export async function renewLeases(ids: string[]): Promise<void> {
  await pool().query(
    `update mails set handed_at = clock_timestamp() where id = any(array(
       select id from mails where id = any($1) and status = 'queued' and not ${free} for update skip locked))`,
    [ids],
  );
}

/** Releases leases. `inDoubt`: it may have been sent, and is retried only with its batch. */
export async function postponeMails(mails: { id: string; error: string; inDoubt: boolean }[]): Promise<void> {
  if (mails.length === 0) return;
  await pool().query(
    `update mails m set handed_at = null, leased_by = null, error = g.error,
            doubtful_since = case when g."inDoubt" then doubtful_since end, batch = case when g."inDoubt" then batch end
       from jsonb_to_recordset($1::jsonb) as g(id text, error text, "inDoubt" boolean)
      where m.id = g.id and m.status = 'queued'`,
    [JSON.stringify(mails)],
  );
}

type FinishedMail = { id: string; status: "sent" | "failed"; provider_id: string | null; error: string | null };

/** Saves the final states of emails and deletes their texts. */
export async function finishMails(mails: FinishedMail[], at: Date = new Date()): Promise<void> {
  if (mails.length === 0) return;
  await pool().query(
    `update mails m set status = g.status, provider_id = g.provider_id, error = g.error, handed_at = null, leased_by = null, batch = null,
            doubtful_since = null, sent_at = case when g.status = 'sent' then $2::timestamptz end, html = null, text = null
       from jsonb_to_recordset($1::jsonb) as g(id text, status text, provider_id text, error text)
      where m.id = g.id and m.status = 'queued'`,
    [JSON.stringify(mails), at],
  );
}

/** Queued emails older than their own retries, oldest first; no invitations or reminders. */
export async function selectOverdueMails(limit: number): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `select id from mails where status = 'queued' and kind not in ('invitation', 'reminder')
        and created_at < $1::timestamptz - interval '3 hours' order by created_at, id limit $2`,
    [now(), limit],
  );
  return rows.map(({ id }) => id);
}
