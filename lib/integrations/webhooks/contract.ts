import {
  NewWebhook,
  ReplayInput,
  ReplayResult,
  TestResult,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryQuery,
  WebhookInput,
  WebhookParams,
  WebhookQuery,
} from "@/lib/integrations/webhooks/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { page, single } from "@/lib/platform/http/fields";

const portal = { tag: "Portal", auth: "session", query: WebhookQuery } as const;
const PATH = "/portal/api/v1/webhooks";
const WEBHOOK_PATH = `${PATH}/{id}`;

export const createWebhookContract = endpoint({
  id: "portal.webhooks.create",
  method: "POST",
  path: PATH,
  summary: "Create a webhook",
  description: "The response contains the signing secret, which is shown only once.",
  body: WebhookInput,
  status: 201,
  response: single(NewWebhook),
  errors: ["conflict"],
  ...portal,
});

export const changeWebhookContract = endpoint({
  id: "portal.webhooks.change",
  method: "PUT",
  path: WEBHOOK_PATH,
  summary: "Change a webhook's URL or events",
  description: "Pending events go to the new URL. If you send the URL as it is shown, its hidden part is kept.",
  params: WebhookParams,
  body: WebhookInput,
  response: single(Webhook),
  errors: ["conflict"],
  ...portal,
});

export const deleteWebhookContract = endpoint({
  id: "portal.webhooks.delete",
  method: "DELETE",
  path: WEBHOOK_PATH,
  summary: "Delete a webhook and its log",
  description: "Rejected while the webhook has pending invitations, because they would never be sent.",
  params: WebhookParams,
  status: 204,
  errors: ["conflict"],
  ...portal,
});

export const pauseWebhookContract = endpoint({
  id: "portal.webhooks.pause",
  method: "POST",
  path: `${WEBHOOK_PATH}/pause`,
  summary: "Pause a webhook and keep its events",
  params: WebhookParams,
  response: single(Webhook),
  ...portal,
});

export const resumeWebhookContract = endpoint({
  id: "portal.webhooks.resume",
  method: "POST",
  path: `${WEBHOOK_PATH}/resume`,
  summary: "Resume a paused, failing or disabled webhook",
  params: WebhookParams,
  response: single(Webhook),
  ...portal,
});

export const rotateWebhookContract = endpoint({
  id: "portal.webhooks.rotate",
  method: "POST",
  path: `${WEBHOOK_PATH}/rotate`,
  summary: "Rotate a signing secret; both secrets sign for 24 hours",
  params: WebhookParams,
  response: single(NewWebhook),
  ...portal,
});

export const testWebhookContract = endpoint({
  id: "portal.webhooks.test",
  method: "POST",
  path: `${WEBHOOK_PATH}/test`,
  summary: "Send a test event",
  params: WebhookParams,
  response: single(TestResult),
  ...portal,
});

export const replayWebhookContract = endpoint({
  id: "portal.webhooks.replay",
  method: "POST",
  path: `${WEBHOOK_PATH}/replay`,
  summary: "Resend an event, or replay a time range",
  params: WebhookParams,
  body: ReplayInput,
  response: single(ReplayResult),
  errors: ["conflict"],
  ...portal,
});

export const webhookDeliveriesContract = endpoint({
  id: "portal.webhooks.deliveries",
  method: "GET",
  path: `${WEBHOOK_PATH}/deliveries`,
  summary: "List a webhook's deliveries with all attempts, newest first",
  params: WebhookParams,
  response: page(WebhookDelivery),
  ...portal,
  query: WebhookDeliveryQuery,
});
