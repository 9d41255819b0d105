import { Resend } from "resend";
import { ResendEvent } from "@/lib/invitations/mail-events/schema";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";

/**
 * Parses a signed body of Resend's webhook. Null if it is signed but not an event we use. Throws `unauthorized` if the
 * signature is missing, wrong or older than five minutes, `not_found` if no secret is configured.
 */
export function readResendEvent(body: string, headers: Headers): ResendEvent | null {
  const { RESEND_WEBHOOK_SECRET: webhookSecret } = env();
  if (!webhookSecret) throw new AppError("not_found", { reason: "address_not_found" });
  let payload: unknown;
  try {
    // The constructor requires a key for API calls, which aren't made here.
    payload = new Resend("unused").webhooks.verify({
      payload: body,
      headers: {
        id: headers.get("svix-id") ?? "",
        timestamp: headers.get("svix-timestamp") ?? "",
        signature: headers.get("svix-signature") ?? "",
      },
      webhookSecret,
    });
  } catch (cause) {
    throw new AppError("unauthorized", { reason: "wrong_signature", cause });
  }
  const event = ResendEvent.safeParse(payload);
  if (!event.success) log.info("ignored an email event that isn't about an email");
  return event.success ? event.data : null;
}
