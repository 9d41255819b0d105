import {
  NewWebhook,
  Replay,
  Replayed,
  Tried,
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
const ONE = `${PATH}/{id}`;

export const createWebhookContract = endpoint({
  id: "portal.webhooks.create",
  method: "POST",
  path: PATH,
  summary: "Have events told at an address, from now on",
  description: "The answer holds the signing secret, which is told this once.",
  body: WebhookInput,
  status: 201,
  response: single(NewWebhook),
  refusals: ["conflict"],
  ...portal,
});

export const changeWebhookContract = endpoint({
  id: "portal.webhooks.change",
  method: "PUT",
  path: ONE,
  summary: "Change the address or the events of a webhook",
  description: "What waits goes to the new address. An address given as it is shown keeps its hidden part.",
  params: WebhookParams,
  body: WebhookInput,
  response: single(Webhook),
  refusals: ["conflict"],
  ...portal,
});

export const deleteWebhookContract = endpoint({
  id: "portal.webhooks.delete",
  method: "DELETE",
  path: ONE,
  summary: "Tell a webhook nothing any more; its log goes too",
  description: "Refused while mails wait in it to be handed over: nobody would ever send them.",
  params: WebhookParams,
  status: 204,
  refusals: ["conflict"],
  ...portal,
});

export const pauseWebhookContract = endpoint({
  id: "portal.webhooks.pause",
  method: "POST",
  path: `${ONE}/pause`,
  summary: "Have a webhook wait; what happens meanwhile is kept for it",
  params: WebhookParams,
  response: single(Webhook),
  ...portal,
});

export const resumeWebhookContract = endpoint({
  id: "portal.webhooks.resume",
  method: "POST",
  path: `${ONE}/resume`,
  summary: "Have a paused, failing or disabled webhook told what waits",
  params: WebhookParams,
  response: single(Webhook),
  ...portal,
});

export const rotateWebhookContract = endpoint({
  id: "portal.webhooks.rotate",
  method: "POST",
  path: `${ONE}/rotate`,
  summary: "Make a new signing secret; the one before signs too for a day",
  params: WebhookParams,
  response: single(NewWebhook),
  ...portal,
});

export const testWebhookContract = endpoint({
  id: "portal.webhooks.test",
  method: "POST",
  path: `${ONE}/test`,
  summary: "Send a test event now",
  params: WebhookParams,
  response: single(Tried),
  ...portal,
});

export const replayWebhookContract = endpoint({
  id: "portal.webhooks.replay",
  method: "POST",
  path: `${ONE}/replay`,
  summary: "Have an event, or all of a period, told again",
  params: WebhookParams,
  body: Replay,
  response: single(Replayed),
  refusals: ["conflict"],
  ...portal,
});

export const webhookDeliveriesContract = endpoint({
  id: "portal.webhooks.deliveries",
  method: "GET",
  path: `${ONE}/deliveries`,
  summary: "List a webhook's deliveries with every attempt, newest first",
  params: WebhookParams,
  response: page(WebhookDelivery),
  ...portal,
  query: WebhookDeliveryQuery,
});
