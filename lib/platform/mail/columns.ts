import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import type { MailboxMail } from "@/lib/platform/mail/schema";

/** Columns of a stored email; see {@link toMail}. */
export const mailColumns = `id, "to", "from", reply_to, subject, html, text, headers, created_at`;

export type MailRow = Omit<MailboxMail, "created_at"> & { created_at: Date };

export const toMail = (row: MailRow): MailboxMail => ({ ...row, created_at: toIsoSeconds(row.created_at) });
