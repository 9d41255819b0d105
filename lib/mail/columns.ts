import { seconds } from "@/lib/http/seconds";
import type { KeptMail } from "@/lib/mail/schema";

/** What a kept mail is read from; see {@link toMail}. */
export const mailColumns = `id, "to", "from", reply_to, subject, html, text, headers, created_at`;

export type MailRow = Omit<KeptMail, "created_at"> & { created_at: Date };

/** A row of `mails` as it is shown. */
export const toMail = (row: MailRow): KeptMail => ({ ...row, created_at: seconds(row.created_at) });
