import { z } from "zod";
import {
  MailPreview,
  MailSample,
  MailTrial,
  OutcomeInput,
  RehearsalSettings,
  SentByHand,
  settingsQuery,
} from "@/lib/invitations/schema";
import { ByHand, OrderId } from "@/lib/orders/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { queryFlag, single, text } from "@/lib/platform/http/fields";
import { mailedLink, pageOfLink } from "@/lib/platform/http/mailed-link";

const shared = mailedLink("/o/{token}");

export const optOutPageContract = endpoint({
  ...shared,
  id: "opt_out.page",
  method: "GET",
  summary: "The page behind a mail's unsubscribe link",
  description: pageOfLink,
});

export const optOutContract = endpoint({
  ...shared,
  id: "opt_out.act",
  method: "POST",
  summary: "Unsubscribe with one click (RFC 8058), or take that back",
  description:
    "The address is the one of the mail's `List-Unsubscribe` header; the body does not matter. `again=1` takes an earlier unsubscription back.",
  query: z.object({ again: queryFlag.optional() }),
});

export const tellOutcomeContract = endpoint({
  id: "invitations.outcome",
  method: "POST",
  path: "/v1/invitations/{id}/outcome",
  tag: "Mail",
  summary: "Tell what became of an invitation that your own sender mails",
  description:
    "For invitations that were handed over by the webhook event `invitation.handed` (an addition of ours). A permanent bounce or a complaint stops all mail of the client to that address. The same told again changes nothing; of an invitation that Candor mailed itself the mail service tells.",
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
  summary: "Set when invitations go: the window, the quarantine, the limit a day",
  description: "Settings that are left out stay as they are. The next run follows the new ones.",
  auth: "session",
  query: settingsQuery,
  body: RehearsalSettings,
  status: 204,
});

export const previewMailContract = endpoint({
  id: "portal.settings.mail.preview",
  method: "POST",
  path: "/portal/api/v1/settings/mail/preview",
  tag: "Portal",
  summary: "The invitation as a customer would get it",
  description: "With products of the catalogue and a person who does not exist. Nothing is kept or sent.",
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
  summary: "Send a sample of the invitation to an address, marked as a test",
  description: "It counts for no limit and no quarantine. `conflict`: that address gets no more mails of the client.",
  auth: "session",
  query: settingsQuery,
  body: MailTrial,
  response: single(z.object({ mail_id: z.string() })),
  refusals: ["conflict"],
});

export const sendByHandContract = endpoint({
  id: "portal.orders.send",
  method: "POST",
  path: "/portal/api/v1/orders/{id}/send",
  tag: "Portal",
  summary: "Send the invitation for items of an order now",
  description:
    "Without the wait after delivery and for other items. Opt-outs, suppressions, quarantine, the window's end, the limit a day and the sending hours hold as for every mail: what does not go is told with the reason. What was asked for already is not asked for again.",
  auth: "session",
  role: "moderator",
  params: OrderId,
  query: settingsQuery,
  body: ByHand,
  response: single(SentByHand),
  refusals: ["conflict"],
});
