import { notify } from "@/lib/accounts/notifications/notify";
import { now } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { selectClientsWithFailedMails } from "./sql";

/**
 * A store is notified once in so many hours, of emails created within them: less than a day, so that the notification of
 * the next day isn't an hour later each time.
 */
const QUIET_HOURS = 23;
/** Stores per statement. */
const BATCH_SIZE = 200;

/**
 * Notifies admins of stores whose emails failed at the email service. Of some clients, or of all (null). Returns how
 * many clients these are.
 */
export async function notifyFailedEmails(clientIds: string[] | null): Promise<number> {
  const since = new Date(now().getTime() - QUIET_HOURS * 3_600_000);
  const clients = await selectClientsWithFailedMails(pool(), clientIds, since);
  for (let at = 0; at < clients.length; at += BATCH_SIZE) {
    const batch = clients.slice(at, at + BATCH_SIZE).map((clientId) => ({
      clientId,
      to: { role: "admin" } as const,
      kind: "emails_failed" as const,
      params: {},
      path: "/portal/failures?kind=mails",
      dedupeKey: "emails_failed",
      quietHours: QUIET_HOURS,
    }));
    await transaction((db) => notify(db, ...batch));
  }
  return clients.length;
}
