import { env } from "@/lib/platform/env";
import { resendProvider } from "@/lib/platform/mail/resend";
import { smtpProvider } from "@/lib/platform/mail/smtp";

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
 * - `later`: it has not, and another try may work, after `afterMs` where the service says so
 * - `refused`: it never will
 * - `unknown`: the mail may have gone, as the answer got lost; a second try could be a second mail
 */
export type SendResult =
  | { outcome: "sent"; providerId: string | null }
  | { outcome: "later" | "unknown"; error: string; afterMs?: number }
  /** `keyTaken`: it refuses because it knows the key from a call with other mails, which it took */
  | { outcome: "refused"; error: string; keyTaken?: boolean };

export type Provider = {
  name: "resend" | "smtp";
  /** for so long the service itself drops a repetition with the same key; 0 = it does not */
  idempotentForMs: number;
  /** mails that it takes in one call, and calls at once */
  batchSize: number;
  concurrency: number;
  /**
   * Hands over mails, at most `most`, all in one call: what became of each, in their order. `key` names the call; a
   * repetition brings the same mails in the same order.
   */
  send: (mails: OutgoingMail[], key: string) => Promise<SendResult[]>;
};

/** The mail service of the settings, or null: then every mail is kept. */
export function mailProvider(): Provider | null {
  const { RESEND_API_KEY, RESEND_BASE_URL, SMTP_URL, MAIL_TIMEOUT } = env();
  const timeoutMs = MAIL_TIMEOUT * 1_000;
  if (RESEND_API_KEY) return resendProvider(RESEND_API_KEY, RESEND_BASE_URL, timeoutMs);
  return SMTP_URL ? smtpProvider(SMTP_URL, timeoutMs) : null;
}
