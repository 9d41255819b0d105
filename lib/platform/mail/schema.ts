import { z } from "zod";
import { timestamp } from "@/lib/platform/http/fields";

/** A mail that was kept because no mail service is set up, as the mailbox and the operator's command show it. */
export const MailboxMail = z
  .object({
    id: z.string(),
    to: z.string(),
    from: z.string(),
    reply_to: z.string().nullable(),
    subject: z.string(),
    html: z.string().nullable(),
    text: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    created_at: timestamp,
  })
  .meta({ id: "KeptMail" });
export type MailboxMail = z.infer<typeof MailboxMail>;
