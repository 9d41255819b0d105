import { env } from "@/lib/env";
import { resendProvider } from "@/lib/mail/resend";
import { smtpProvider } from "@/lib/mail/smtp";

/** A mail on its way out. */
export type OutgoingMail = {
  id: string;
  idempotency_key: string;
  to: string;
  from: string;
  reply_to: string | null;
  subject: string;
  html: string | null;
  text: string | null;
  headers: Record<string, string>;
};

/**
 * What became of handing a mail over:
 * - `sent`: the service has taken it
 * - `later`: it has not, and another try may work
 * - `refused`: it never will
 * - `unknown`: the mail may have gone, as the answer got lost; a second try could be a second mail
 */
export type Handover =
  | { outcome: "sent"; providerId: string | null }
  | { outcome: "later" | "refused" | "unknown"; error: string };

export type Provider = {
  name: "resend" | "smtp";
  /** for so long the service itself drops a repetition with the same key; 0 = it does not */
  idempotentForMs: number;
  hand: (mail: OutgoingMail) => Promise<Handover>;
};

/** The mail service of the settings, or null: then every mail is kept. */
export function mailProvider(): Provider | null {
  const { RESEND_API_KEY, RESEND_BASE_URL, SMTP_URL } = env();
  if (RESEND_API_KEY) return resendProvider(RESEND_API_KEY, RESEND_BASE_URL);
  return SMTP_URL ? smtpProvider(SMTP_URL) : null;
}
