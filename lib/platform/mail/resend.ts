import { createHash } from "node:crypto";
import { type CreateEmailOptions, type ErrorResponse, Resend } from "resend";
import type { OutgoingMail, Provider, SendResult } from "@/lib/platform/mail/provider";

const HOUR_MS = 3_600_000;

/** Errors about the account or a temporary condition, not about the email: it is retried. */
const temporaryErrors = new Set([
  "rate_limit_exceeded",
  "daily_quota_exceeded",
  "monthly_quota_exceeded",
  "missing_api_key",
  "invalid_api_key",
  "restricted_api_key",
  "invalid_access",
]);

/** Resend, up to 100 emails per call. It deduplicates by idempotency key for 24 hours; we rely on 23. */
export function resendProvider(apiKey: string, baseUrl: string | undefined, timeoutMs: number): Provider {
  const resend = new Resend(apiKey, baseUrl ? { baseUrl } : {});
  return {
    name: "resend",
    idempotentForMs: 23 * HOUR_MS,
    batchSize: 100,
    concurrency: 1,
    send: async (mails, key) => {
      const options = { idempotencyKey: keyOf(key), signal: AbortSignal.timeout(timeoutMs) };
      const [mail] = mails;
      if (mail && mails.length === 1) {
        const { data, error, headers } = await catchTimeout(resend.emails.send(toResendEmail(mail), options));
        return [data ? { outcome: "sent", providerId: data.id } : toFailure(error, headers)];
      }
      const { data, error, headers } = await catchTimeout(
        resend.batch.send(mails.map(toResendEmail), { ...options, batchValidation: "permissive" }),
      );
      return data ? toSendResults(mails, data) : mails.map(() => toFailure(error, headers));
    },
  };
}

const toResendEmail = (mail: OutgoingMail): CreateEmailOptions => ({
  from: mail.from,
  to: mail.to,
  subject: mail.subject,
  ...(mail.reply_to ? { replyTo: mail.reply_to } : {}),
  ...(mail.html === null ? {} : { html: mail.html }),
  text: mail.text ?? "",
  headers: mail.headers,
  tags: [{ name: "mail", value: mail.id }], // returned in events
});

type Answer<T> = { data: T | null; error: ErrorResponse | null; headers: Record<string, string> | null };

/** The response, or an error without a status after a timeout, the only case in which the library throws. */
async function catchTimeout<T>(call: Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await call;
  } catch (error) {
    const message = `no answer in time (${(error as Error).message})`;
    return { data: null, error: { name: "application_error", statusCode: null, message }, headers: null };
  }
}

type Batch = { data: { id: string }[]; errors?: { index: number; message: string }[] };

/** The result of each email of a batch: the response has only the ids of accepted ones, in order. */
function toSendResults(mails: OutgoingMail[], { data = [], errors = [] }: Batch): SendResult[] {
  const refused = new Map(errors.map(({ index, message }) => [index, message]));
  const isComplete = data.length === mails.length - refused.size;
  let next = 0;
  return mails.map((_, index): SendResult => {
    const message = refused.get(index);
    if (message !== undefined) return { outcome: "refused", error: `Resend: ${message}` };
    // Ids don't match the emails: they can't be assigned, and a retry returns the same response.
    if (!isComplete)
      return { outcome: "unknown", error: `Resend: got ${data.length} results for ${mails.length} emails` };
    return { outcome: "sent", providerId: data[next++]?.id ?? null };
  });
}

function toFailure(error: ErrorResponse | null, headers: Record<string, string> | null): SendResult {
  const status = error?.statusCode ?? null;
  const name: string = error?.name ?? "";
  const description = `Resend: ${status ?? "no answer"} ${name}: ${error?.message ?? ""}`;
  const outcome = outcomeOf(status, name);
  if (outcome === "refused") return { outcome, error: description, keyWasUsed: name === "invalid_idempotent_request" };
  const afterMs = retryAfterMs(headers?.["retry-after"]);
  return { outcome, error: description, ...(afterMs === null ? {} : { afterMs }) };
}

/** No response or a server error says nothing about the email; 401 and 403 are for the operator to fix. */
function outcomeOf(status: number | null, name: string): "later" | "refused" | "unknown" {
  if (status === null || status >= 500 || name === "concurrent_idempotent_requests") return "unknown";
  return status === 401 || status === 403 || status === 429 || temporaryErrors.has(name) ? "later" : "refused";
}

/** `Retry-After` in milliseconds: seconds, or a date. Null if invalid or missing. */
export function retryAfterMs(value: string | undefined): number | null {
  if (value === undefined) return null;
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : null;
}

/** Resend accepts keys of up to 256 characters. */
const keyOf = (key: string): string => (key.length <= 256 ? key : createHash("sha256").update(key).digest("hex"));
