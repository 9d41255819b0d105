import {
  Checks,
  Integration,
  IntegrationInput,
  IntegrationQuery,
  KindParams,
  RetryInput,
  RetryResult,
  SentDeliveries,
  SentParams,
  SharePreview,
  SyncInput,
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
  summary: "Connect an integration",
  body: IntegrationInput,
  status: 201,
  response: single(Integration),
  errors: ["conflict"],
  ...portal,
});

export const changeIntegrationContract = endpoint({
  id: "portal.integrations.change",
  method: "PUT",
  path: `${PATH}/{kind}`,
  summary: "Change an integration's settings or credentials",
  description: "Credentials that you leave out are kept, unless the settings point to another server.",
  params: KindParams,
  body: IntegrationInput,
  response: single(Integration),
  errors: ["conflict"],
  ...portal,
});

export const removeIntegrationContract = endpoint({
  id: "portal.integrations.delete",
  method: "DELETE",
  path: `${PATH}/{kind}`,
  summary: "Disconnect an integration, delete its credentials and keep its imported data",
  params: KindParams,
  status: 204,
  ...portal,
});

export const pauseIntegrationContract = endpoint({
  id: "portal.integrations.pause",
  method: "POST",
  path: `${PATH}/{kind}/pause`,
  summary: "Pause an integration and keep pending deliveries",
  params: KindParams,
  response: single(Integration),
  ...portal,
});

export const resumeIntegrationContract = endpoint({
  id: "portal.integrations.resume",
  method: "POST",
  path: `${PATH}/{kind}/resume`,
  summary: "Resume an integration",
  params: KindParams,
  response: single(Integration),
  ...portal,
});

export const testIntegrationContract = endpoint({
  id: "portal.integrations.test",
  method: "POST",
  path: `${PATH}/{kind}/test`,
  summary: "Test the connection without writing to the other system",
  params: KindParams,
  response: single(Checks),
  ...portal,
});

export const syncIntegrationContract = endpoint({
  id: "portal.integrations.sync",
  method: "POST",
  path: `${PATH}/{kind}/sync`,
  summary: "Start a sync now",
  params: KindParams,
  body: SyncInput,
  response: single(Integration),
  errors: ["conflict"],
  ...portal,
});

export const retryDeliveriesContract = endpoint({
  id: "portal.integrations.retry",
  method: "POST",
  path: `${PATH}/{kind}/retry`,
  summary: "Retry a delivery, or all failed deliveries",
  params: KindParams,
  body: RetryInput,
  response: single(RetryResult),
  errors: ["conflict"],
  ...portal,
});

export const getSentContract = endpoint({
  id: "portal.sent.get",
  method: "GET",
  path: "/portal/api/v1/sent/{kind}/{id}",
  summary: "List an item's deliveries to other systems, with their responses",
  params: SentParams,
  response: single(SentDeliveries),
  role: "moderator",
  ...portal,
});

export const previewShareContract = endpoint({
  id: "portal.integrations.preview",
  method: "POST",
  path: `${PATH}/{kind}/preview`,
  summary: "Preview a data share without storing anything",
  params: KindParams,
  response: single(SharePreview),
  errors: ["conflict"],
  ...portal,
});
