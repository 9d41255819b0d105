import {
  Checks,
  Integration,
  IntegrationInput,
  IntegrationQuery,
  KindParams,
  Retried,
  Retry,
  Sent,
  SentParams,
  SharePreview,
  SyncAsked,
} from "@/lib/integrations/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { single } from "@/lib/platform/http/fields";

const portal = {
  tag: "Portal",
  auth: "session",
  query: IntegrationQuery,
} as const;
const PATH = "/portal/api/v1/integrations";

export const createIntegrationContract = endpoint({
  id: "portal.integrations.create",
  method: "POST",
  path: PATH,
  summary: "Connect another system, from now on",
  body: IntegrationInput,
  status: 201,
  response: single(Integration),
  refusals: ["conflict"],
  ...portal,
});

export const changeIntegrationContract = endpoint({
  id: "portal.integrations.change",
  method: "PUT",
  path: `${PATH}/{kind}`,
  summary: "Change the settings or credentials of an integration",
  description: "Credentials that are not given stay as they are, unless the settings lead to another server.",
  params: KindParams,
  body: IntegrationInput,
  response: single(Integration),
  refusals: ["conflict"],
  ...portal,
});

export const removeIntegrationContract = endpoint({
  id: "portal.integrations.delete",
  method: "DELETE",
  path: `${PATH}/{kind}`,
  summary: "Connect it no more; what came by it stays, its credentials go",
  params: KindParams,
  status: 204,
  ...portal,
});

export const pauseIntegrationContract = endpoint({
  id: "portal.integrations.pause",
  method: "POST",
  path: `${PATH}/{kind}/pause`,
  summary: "Have an integration wait; what is due is kept",
  params: KindParams,
  response: single(Integration),
  ...portal,
});

export const resumeIntegrationContract = endpoint({
  id: "portal.integrations.resume",
  method: "POST",
  path: `${PATH}/{kind}/resume`,
  summary: "Have an integration go on",
  params: KindParams,
  response: single(Integration),
  ...portal,
});

export const testIntegrationContract = endpoint({
  id: "portal.integrations.test",
  method: "POST",
  path: `${PATH}/{kind}/test`,
  summary: "Try the connection; writes nothing elsewhere",
  params: KindParams,
  response: single(Checks),
  ...portal,
});

export const syncIntegrationContract = endpoint({
  id: "portal.integrations.sync",
  method: "POST",
  path: `${PATH}/{kind}/sync`,
  summary: "Have a synchronisation begin now",
  params: KindParams,
  body: SyncAsked,
  response: single(Integration),
  refusals: ["conflict"],
  ...portal,
});

export const retryDeliveriesContract = endpoint({
  id: "portal.integrations.retry",
  method: "POST",
  path: `${PATH}/{kind}/retry`,
  summary: "Have a delivery, or all that failed, tried again",
  params: KindParams,
  body: Retry,
  response: single(Retried),
  refusals: ["conflict"],
  ...portal,
});

export const getSentContract = endpoint({
  id: "portal.sent.get",
  method: "GET",
  path: "/portal/api/v1/sent/{kind}/{id}",
  summary: "What other systems were told of an item, and what came back",
  params: SentParams,
  response: single(Sent),
  role: "moderator",
  ...portal,
});

export const previewShareContract = endpoint({
  id: "portal.integrations.preview",
  method: "POST",
  path: `${PATH}/{kind}/preview`,
  summary: "Show what a data share would be read as; stores nothing",
  params: KindParams,
  response: single(SharePreview),
  refusals: ["conflict"],
  ...portal,
});
