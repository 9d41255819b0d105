import { createHash } from "node:crypto";
import { Resend } from "resend";
import type { Provider } from "@/lib/mail/provider";

const HOUR_MS = 3_600_000;

/** Faults that say something about the account or the moment, not about the mail: it is tried again. */
const passing = new Set([
  "rate_limit_exceeded",
  "daily_quota_exceeded",
  "monthly_quota_exceeded",
  "missing_api_key",
  "invalid_api_key",
  "restricted_api_key",
  "invalid_access",
]);

/** Resend. It drops a repetition with the same idempotency key for 24 hours; we count on 23. */
export function resendProvider(apiKey: string, baseUrl: string | undefined): Provider {
  const resend = new Resend(apiKey, baseUrl ? { baseUrl } : {});
  return {
    name: "resend",
    idempotentForMs: 23 * HOUR_MS,
    hand: async (mail) => {
      const { data, error } = await resend.emails.send(
        {
          from: mail.from,
          to: mail.to,
          subject: mail.subject,
          ...(mail.reply_to ? { replyTo: mail.reply_to } : {}),
          ...(mail.html === null ? {} : { html: mail.html }),
          text: mail.text ?? "",
          headers: mail.headers,
          tags: [{ name: "mail", value: mail.id }], // events tell it back
        },
        { idempotencyKey: keyOf(mail.idempotency_key) },
      );
      if (data) return { outcome: "sent", providerId: data.id };
      const status = error?.statusCode ?? null;
      return {
        outcome: outcomeOf(status, error?.name ?? ""),
        error: `Resend: ${status ?? "no answer"} ${error?.name ?? ""}: ${error?.message ?? ""}`,
      };
    },
  };
}

/** No answer, or one of a service in trouble, says nothing about the mail; 401 and 403 are the operator's to mend. */
function outcomeOf(status: number | null, name: string): "later" | "refused" | "unknown" {
  if (status === null || status >= 500 || name === "concurrent_idempotent_requests") return "unknown";
  return status === 401 || status === 403 || status === 429 || passing.has(name) ? "later" : "refused";
}

/** Resend takes keys of up to 256 characters. */
const keyOf = (key: string): string => (key.length <= 256 ? key : createHash("sha256").update(key).digest("hex"));
