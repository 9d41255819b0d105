import { pool } from "@/lib/platform/db/pool";
import { type MailRow, mailColumns, toMail } from "@/lib/platform/mail/columns";
import type { MailboxMail } from "@/lib/platform/mail/schema";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/** Stored emails, oldest first; with `to` only those to one address (any spelling). For operators only. */
export async function listMails({ to }: { to?: string } = {}): Promise<MailboxMail[]> {
  const { rows } = await pool().query<MailRow>(
    `select ${mailColumns} from mails where status = 'kept' and ($1::text is null or to_key = $1) order by created_at, id`,
    [to === undefined ? null : emailKey(to)],
  );
  return rows.map(toMail);
}
