import { z } from "zod";
import {
  MailPreview,
  MailSample,
  ManualSendResult,
  OutcomeInput,
  SendSettings,
  settingsQuery,
  TestMailInput,
} from "@/lib/invitations/schema";
import { ManualSend, OrderId } from "@/lib/orders/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { queryFlag, single, text } from "@/lib/platform/http/fields";
import { linkPageDescription, mailLinkOptions } from "@/lib/platform/http/mail-link";

const shared = mailLinkOptions("/o/{token}");

export const optOutPageContract = endpoint({
  ...shared,
  id: "opt_out.page",
  method: "GET",
  summary: "Show the unsubscribe page of an email's link",
  description: linkPageDescription,
});

export const optOutContract = endpoint({
  ...shared,
  id: "opt_out.act",
  method: "POST",
  summary: "Unsubscribe with one click (RFC 8058), or resubscribe",
  description: "For the URL in the email's `List-Unsubscribe` header. The body is ignored. `again=1` resubscribes.",
  query: z.object({ again: queryFlag.optional() }),
});

export const reportOutcomeContract = endpoint({
  id: "invitations.outcome",
  method: "POST",
  path: "/v1/invitations/{id}/outcome",
  tag: "Emails",
  summary: "Report the outcome of an invitation that your external sender emailed",
  description:
    "For invitations delivered to your external sender by the webhook event `invitation.handed`. A permanent bounce or a complaint stops all of the store's emails to that address. Repeating a report changes nothing. The outcome of an invitation that Candor emailed is reported by the email service.",
  auth: "management",
  params: z.object({ id: text(255) }),
  query: settingsQuery,
  body: OutcomeInput,
  status: 204,
  example: {
    params: { id: "inv_5f0c1d9be27a4836" },
    query: "client_id=shop.example.com",
    body: { outcome: "bounced", permanent: true, at: "2026-05-20T08:00:00Z" },
  },
});

export const setSendingContract = endpoint({
  id: "portal.settings.invitations",
  method: "PUT",
  path: "/portal/api/v1/settings/invitations",
  tag: "Portal",
  summary: "Change when invitations are sent: window, cooldown, daily limit",
  description: "Settings that you leave out are kept. The next run uses the new ones.",
  auth: "session",
  query: settingsQuery,
  body: SendSettings,
  status: 204,
});

export const previewMailContract = endpoint({
  id: "portal.settings.mail.preview",
  method: "POST",
  path: "/portal/api/v1/settings/mail/preview",
  tag: "Portal",
  summary: "Preview the invitation email",
  description: "Uses products of the catalog and an invented customer. Nothing is stored or sent.",
  auth: "session",
  scope: "read",
  role: "viewer",
  query: settingsQuery,
  body: MailSample,
  response: single(MailPreview),
});

export const testMailContract = endpoint({
  id: "portal.settings.mail.test",
  method: "POST",
  path: "/portal/api/v1/settings/mail/test",
  tag: "Portal",
  summary: "Send a test invitation to an email address",
  description:
    "Doesn't count for the daily limit or the cooldown. `conflict` if the address gets no more emails from the store.",
  auth: "session",
  query: settingsQuery,
  body: TestMailInput,
  response: single(z.object({ mail_id: z.string() })),
  errors: ["conflict"],
});

export const sendManuallyContract = endpoint({
  id: "portal.orders.send",
  method: "POST",
  path: "/portal/api/v1/orders/{id}/send",
  tag: "Portal",
  summary: "Send the invitation for items of an order now",
  description:
    "Skips the wait after delivery and the wait for other items. Opt-outs, suppressions, the cooldown, the end of the window, the daily limit and sending hours apply. Items that can't be invited are listed with the reason. Items that were invited before are not invited again.",
  auth: "session",
  role: "moderator",
  params: OrderId,
  query: settingsQuery,
  body: ManualSend,
  response: single(ManualSendResult),
  errors: ["conflict"],
});
