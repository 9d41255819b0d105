import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { type MailRow, mailColumns, toMail } from "@/lib/platform/mail/columns";
import type { MailboxMail } from "@/lib/platform/mail/schema";

/** A stored email. Throws `not_found`. For operators only. */
export async function getMail(id: string): Promise<MailboxMail> {
  const { rows } = await pool().query<MailRow>(`select ${mailColumns} from mails where status = 'kept' and id = $1`, [
    id,
  ]);
  if (!rows[0]) throw new AppError("not_found", { reason: "email_not_found" });
  return toMail(rows[0]);
}
