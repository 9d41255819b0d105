import { isHolderDead } from "@/lib/platform/db/lease-holder";
import { pool } from "@/lib/platform/db/pool";
import { notAcceptedError } from "@/lib/platform/mail/deliver-mail";
import { deliverMails, type MailState } from "@/lib/platform/mail/deliver-mails";
import { selectOverdueMails } from "./sql";

/**
 * Hands over what was written long enough ago that its own tries must be over: a mail service that was away for hours,
 * or a fact that got lost, keeps no mail for ever. Invitations are left out: their runs judge them anew. Takes at most
 * so many; answers how many ended which way. Throws `unavailable` where mails wait and none went: the service is in trouble.
 */
export async function deliverOverdueMails(most = 200): Promise<Partial<Record<MailState, number>>> {
  const delivery = await deliverMails(await selectOverdueMails(most));
  const { states } = delivery;
  const counts: Partial<Record<MailState, number>> = {};
  for (const state of states.values()) counts[state] = (counts[state] ?? 0) + 1;
  if (counts.later && !counts.sent && delivery.reason !== null) throw notAcceptedError(delivery);
  return counts;
}

/** Frees emails that these processes were sending, if they are dead. They stay in doubt: each is retried with its own key only. */
export async function reclaimMails(holders: number[]): Promise<void> {
  await pool().query(
    `update mails set handed_at = null, leased_by = null where id in (
       select id from mails where status = 'queued' and leased_by = any($1) and ${isHolderDead("leased_by")} for update skip locked)`,
    [holders],
  );
}
