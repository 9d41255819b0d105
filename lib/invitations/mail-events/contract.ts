import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { text } from "@/lib/platform/http/fields";

export const mailEventContract = endpoint({
  id: "mail_events.post",
  method: "POST",
  path: "/api/mail-events/{provider}",
  tag: "Emails",
  summary: "Receive delivery events from the email service",
  description:
    "URL for Resend's webhook (`resend`). Its signature is checked (`RESEND_WEBHOOK_SECRET`). Events about other emails, and events without a delivery outcome, are accepted and ignored. A repeated event changes nothing.",
  auth: "public",
  cors: false,
  accepts: "signed",
  params: z.object({ provider: text(50) }),
  body: z.string().meta({ description: "Event, exactly as signed." }),
  status: 204,
  errors: ["unauthorized"],
  example: {
    params: { provider: "resend" },
    body: '{"type":"email.bounced","created_at":"2026-05-20T08:00:00.000Z","data":{"email_id":"56761188-7520-42d8-8898-ff6fc54ce618","to":["ada@example.org"],"bounce":{"type":"Permanent","subType":"General","message":"The mailbox does not exist."}}}',
  },
});
