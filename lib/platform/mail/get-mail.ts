import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { type MailRow, mailColumns, toMail } from "@/lib/platform/mail/columns";
import type { MailboxMail } from "@/lib/platform/mail/schema";

/** A stored email. Throws `not_found`. For operators only. */
export const getMail = (id: string): Promise<MailboxMail> => readMail("id = $1", [id]);

/**
 * A stored invitation or reminder of a client. Throws `not_found`, also for emails to its team and for confirmation
 * links, which are only for their recipients.
 */
export const getInvitationMail = (clientId: string, id: string): Promise<MailboxMail> =>
  readMail("id = $1 and client_id = $2 and kind in ('invitation', 'reminder')", [id, clientId]);

async function readMail(condition: string, values: string[]): Promise<MailboxMail> {
  const { rows } = await pool().query<MailRow>(
    `select ${mailColumns} from mails where status = 'kept' and ${condition}`,
    values,
  );
  if (!rows[0]) throw new AppError("not_found", { reason: "email_not_found" });
  return toMail(rows[0]);
}
