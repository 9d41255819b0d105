import type { KeptMail } from "@/lib/platform/mail/schema";
import { seconds } from "@/lib/platform/seconds";

/** What a kept mail is read from; see {@link toMail}. */
export const mailColumns = `id, "to", "from", reply_to, subject, html, text, headers, created_at`;

export type MailRow = Omit<KeptMail, "created_at"> & { created_at: Date };

export const toMail = (row: MailRow): KeptMail => ({ ...row, created_at: seconds(row.created_at) });
