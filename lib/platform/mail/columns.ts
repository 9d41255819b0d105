import type { Prisma } from "@/lib/platform/db/generated/client";
import type { KeptMail } from "@/lib/platform/mail/schema";
import { seconds } from "@/lib/platform/seconds";

/** What a kept mail is read from; see {@link toMail}. */
export const mailColumns = {
  id: true,
  to: true,
  from: true,
  replyTo: true,
  subject: true,
  html: true,
  text: true,
  headers: true,
  createdAt: true,
} as const satisfies Prisma.MailSelect;

/** A row of `mails` as it is shown. */
export const toMail = ({
  replyTo,
  headers,
  createdAt,
  ...row
}: Prisma.MailGetPayload<{ select: typeof mailColumns }>): KeptMail => ({
  ...row,
  reply_to: replyTo,
  headers: headers as Record<string, string>,
  created_at: seconds(createdAt),
});
