import { env } from "@/lib/platform/env";
import { resendProvider } from "@/lib/platform/mail/resend";
import { smtpProvider } from "@/lib/platform/mail/smtp";

/** An email to send. */
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
 * The result of sending an email:
 * - `sent`: the service accepted it
 * - `later`: not sent, and a retry may work, after `afterMs` if the service gives it
 * - `refused`: rejected permanently
 * - `unknown`: it may have been sent, since the response was lost; a retry could send it twice
 */
export type SendResult =
  | { outcome: "sent"; providerId: string | null }
  | { outcome: "later" | "unknown"; error: string; afterMs?: number }
  /** `keyWasUsed`: rejected because the key was used for other emails, which were accepted */
  | { outcome: "refused"; error: string; keyWasUsed?: boolean };

export type Provider = {
  name: "resend" | "smtp";
  /** how long the service deduplicates by key; 0 = it doesn't */
  idempotentForMs: number;
  /** maximum emails per call, and concurrent calls */
  batchSize: number;
  concurrency: number;
  /**
   * Sends at most `batchSize` emails in one call and returns their results in order. `key` identifies the call; a
   * repetition has the same emails in the same order.
   */
  send: (mails: OutgoingMail[], key: string) => Promise<SendResult[]>;
};

/** The configured email service. Null if there is none: then emails are stored. */
export function mailProvider(): Provider | null {
  const { RESEND_API_KEY, RESEND_BASE_URL, SMTP_URL, MAIL_TIMEOUT } = env();
  const timeoutMs = MAIL_TIMEOUT * 1_000;
  if (RESEND_API_KEY) return resendProvider(RESEND_API_KEY, RESEND_BASE_URL, timeoutMs);
  return SMTP_URL ? smtpProvider(SMTP_URL, timeoutMs) : null;
}
