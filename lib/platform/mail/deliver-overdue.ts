import { isHolderDeadSql } from "@/lib/platform/db/lease-holder";
import { pool } from "@/lib/platform/db/pool";
import { notAcceptedError } from "@/lib/platform/mail/deliver-mail";
import { deliverMails, type MailState } from "@/lib/platform/mail/deliver-mails";
import { selectOverdueMails } from "./sql";

/**
 * Sends emails so old that their own retries are over, so that an outage of the email service or a lost event doesn't
 * keep them queued forever. Skips invitations: their runs check them again. Returns counts by state. Throws
 * `unavailable` if emails are queued and none was sent.
 */
export async function deliverOverdueMails(limit = 200): Promise<Partial<Record<MailState, number>>> {
  const delivery = await deliverMails(await selectOverdueMails(limit));
  const { states } = delivery;
  const counts: Partial<Record<MailState, number>> = {};
  for (const state of states.values()) counts[state] = (counts[state] ?? 0) + 1;
  if (counts.later && !counts.sent && delivery.reason !== null) throw notAcceptedError(delivery);
  return counts;
}

/**
 * Releases emails that these processes were sending, if they are dead. They stay in doubt: each is retried only with
 * its own key.
 */
export async function reclaimMails(holders: number[]): Promise<void> {
  await pool().query(
    `update mails set handed_at = null, leased_by = null where id in (
       select id from mails where status = 'queued' and leased_by = any($1) and ${isHolderDeadSql("leased_by")} for update skip locked)`,
    [holders],
  );
}
