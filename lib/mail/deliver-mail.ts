import { now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { type Handover, mailProvider, type OutgoingMail, type Provider } from "@/lib/mail/provider";
import { bareAddress } from "@/lib/mail/sender";

/** Longer than a handover can take: a lease older than this belongs to a process that died. */
const LEASE_MS = 10 * 60_000;

/**
 * What became of a mail. `kept`: there is no mail service, it is in the mailbox. `busy`: another process is handing it
 * over right now. `gone`: there is no such mail (any more). `failed`: it never will be sent.
 */
export type MailState = "kept" | "sent" | "failed" | "busy" | "gone";

type Row = OutgoingMail & {
  status: "kept" | "queued" | "sent" | "failed";
  handed_for_ms: number | null;
  /** how long ago the first try was of which nobody knows what became */
  doubtful_for_ms: number | null;
};

/**
 * Hands a queued mail to the mail service, or keeps it where there is none; safe to call again and by several at once.
 * Throws `unavailable` when the service does not take it now. Where nobody can tell whether it went (the answer was
 * lost, or the process died meanwhile) and the service does not know repetitions, or not for so long, it is given up
 * rather than risked twice. The text of a mail that went is removed here.
 */
export async function deliverMail(mailId: string): Promise<MailState> {
  const provider = mailProvider();
  const row = await find(mailId);
  if (!row) return "gone";
  if (row.status !== "queued") return row.status;
  if (!provider) return keep(mailId);

  const lease = await takeLease(row, provider);
  if (lease !== "mine") return lease;
  const handover = tellingNobody(await provider.hand(row), row.to);
  if (handover.outcome === "sent") {
    await settle(mailId, "sent", { providerId: handover.providerId, error: null });
    return "sent";
  }
  log.warn({ mail: mailId, outcome: handover.outcome, reason: handover.error }, "a mail was not taken");
  const inDoubt = handover.outcome === "unknown" && provider.idempotentForMs > 0;
  if (handover.outcome === "later" || inDoubt) {
    // A refusal tells of this try only: an earlier one may still have gone.
    await pool().query(
      `update mails set handed_at = null, error = $2, doubtful_since = case when $3 then doubtful_since end
        where id = $1 and status = 'queued'`,
      [mailId, handover.error, inDoubt || row.doubtful_for_ms !== null],
    );
    throw new AppError("unavailable", "The mail service did not take the mail.", { cause: handover.error });
  }
  await settle(mailId, "failed", { providerId: null, error: handover.error });
  return "failed";
}

/** Services repeat whom a mail was for. What they say goes into logs and errors of jobs, which outlive an erasure. */
function tellingNobody(handover: Handover, to: string): Handover {
  if (handover.outcome === "sent") return handover;
  const address = new RegExp(bareAddress(to).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi");
  return { ...handover, error: handover.error.replace(address, "***") };
}

async function find(mailId: string): Promise<Row | null> {
  const { rows } = await pool().query<Row>(
    `select id, idempotency_key, "to", "from", reply_to, subject, html, text, headers, status,
            (extract(epoch from clock_timestamp() - handed_at) * 1000)::float8 as handed_for_ms,
            (extract(epoch from clock_timestamp() - least(doubtful_since, handed_at)) * 1000)::float8 as doubtful_for_ms
       from mails where id = $1`,
    [mailId],
  );
  return rows[0] ?? null;
}

async function keep(mailId: string): Promise<MailState> {
  await pool().query("update mails set status = 'kept' where id = $1 and status = 'queued'", [mailId]);
  const row = await find(mailId);
  return !row ? "gone" : row.status === "queued" ? "busy" : row.status;
}

/** Leases are told by the database's clock: they are about processes, not about the service's days. */
async function takeLease(row: Row, provider: Provider): Promise<"mine" | MailState> {
  const { handed_for_ms: held, doubtful_for_ms: doubtful } = row;
  if (held !== null && held < LEASE_MS) return "busy";
  if (doubtful !== null && doubtful >= provider.idempotentForMs) {
    const error = "Its answer was lost, or its process died: whether it went is not known, so it is not sent again.";
    await settle(row.id, "failed", { providerId: null, error });
    return "failed";
  }
  const { rowCount } = await pool().query(
    `update mails set handed_at = clock_timestamp(), attempts = attempts + 1, provider = $2,
            doubtful_since = coalesce(least(doubtful_since, handed_at), clock_timestamp())
      where id = $1 and status = 'queued'
        and (handed_at is null or handed_at < clock_timestamp() - $3 * interval '1 ms')`,
    [row.id, provider.name, LEASE_MS],
  );
  return rowCount === 1 ? "mine" : "busy";
}

async function settle(
  mailId: string,
  status: "sent" | "failed",
  { providerId, error }: { providerId: string | null; error: string | null },
): Promise<void> {
  await pool().query(
    `update mails set status = $2, provider_id = $3, error = $4, handed_at = null, doubtful_since = null,
            sent_at = case when $2 = 'sent' then $5::timestamptz end, html = null, text = null
      where id = $1 and status = 'queued'`,
    [mailId, status, providerId, error, now()],
  );
}
