import { z } from "zod";
import { timestamp } from "@/lib/platform/http/fields";

/** An email stored because no email service is configured, as shown in the mailbox and by the admin command. */
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
