import { z } from "zod";
import {
  DecidedItem,
  DecisionInput,
  DecisionsInput,
  ItemDetail,
  ItemOutcome,
  ItemParams,
  NewView,
  PendingCounts,
  PhotoInput,
  PhotoParams,
  QueueItem,
  QueueQuery,
  QueueView,
  RejectionMail,
  TextItemParams,
  Viewers,
  ViewParams,
} from "@/lib/moderation/queue/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";
import { ReviewId } from "@/lib/reviews/reviews/schema";

const clientQuery = z.object({ client_id: clientId });

export const listQueueContract = endpoint({
  id: "portal.queue.list",
  method: "GET",
  path: "/portal/api/v1/queue",
  tag: "Portal",
  summary: "List items of the moderation queue",
  description:
    "Reviews, seller reviews, questions, answers and photos. Pending items are sorted oldest first, others newest first. A page can have few rows and still have a next one.",
  auth: "session",
  query: QueueQuery,
  response: page(QueueItem),
});

export const getItemDetailContract = endpoint({
  id: "portal.queue.get",
  method: "GET",
  path: "/portal/api/v1/queue/{kind}/{id}",
  tag: "Portal",
  summary: "Retrieve an item with its order, invitation, replies and history",
  auth: "session",
  params: ItemParams,
  query: clientQuery,
  response: single(ItemDetail),
});

export const decideContract = endpoint({
  id: "portal.queue.decide",
  method: "PUT",
  path: "/portal/api/v1/queue/{kind}/{id}",
  tag: "Portal",
  summary: "Accept, reject or reopen an item",
  description:
    "Events are sent ten seconds later, so the decision can be undone until then. If the item was decided since the person loaded it, nothing is changed.",
  auth: "session",
  role: "moderator",
  params: ItemParams,
  query: clientQuery,
  body: DecisionInput,
  response: single(DecidedItem),
  errors: ["conflict"],
});

export const decideAllContract = endpoint({
  id: "portal.queue.decide_all",
  method: "PUT",
  path: "/portal/api/v1/queue",
  tag: "Portal",
  summary: "Decide up to 200 items, each on its own",
  description:
    "The response has one outcome per item, in the given order: decided, already decided by another person, or deleted. Conflicts change nothing and don't affect other items. Events are sent ten seconds later.",
  auth: "session",
  role: "moderator",
  query: clientQuery,
  body: DecisionsInput,
  response: z.object({ data: z.array(ItemOutcome) }),
});

export const closeReportsContract = endpoint({
  id: "portal.reviews.reports.close",
  method: "DELETE",
  path: "/portal/api/v1/reviews/{id}/reports",
  tag: "Portal",
  summary: "Dismiss a review's reports",
  auth: "session",
  role: "moderator",
  params: ReviewId,
  query: clientQuery,
  status: 204,
});

export const pendingCountsContract = endpoint({
  id: "portal.waiting",
  method: "GET",
  path: "/portal/api/v1/waiting",
  tag: "Portal",
  summary: "Count items to moderate, by queue",
  auth: "session",
  query: clientQuery,
  response: single(PendingCounts),
});

export const recordViewerContract = endpoint({
  id: "portal.queue.look",
  method: "PUT",
  path: "/portal/api/v1/queue/{kind}/{id}/look",
  tag: "Portal",
  summary: "Set the item the person is looking at and list others who look at it",
  description: "Valid for two minutes, or until the person opens another item of the store. It doesn't block anyone.",
  auth: "session",
  role: "moderator",
  params: ItemParams,
  query: clientQuery,
  response: single(Viewers),
});

export const rejectionMailContract = endpoint({
  id: "portal.queue.rejection_mail",
  method: "GET",
  path: "/portal/api/v1/queue/{kind}/{id}/rejection_mail",
  tag: "Portal",
  summary: "Preview the rejection email for each reason",
  auth: "session",
  role: "moderator",
  params: TextItemParams,
  query: clientQuery,
  response: single(RejectionMail),
});

export const listViewsContract = endpoint({
  id: "portal.queue_views.list",
  method: "GET",
  path: "/portal/api/v1/queue_views",
  tag: "Portal",
  summary: "List saved views of the queue, with counts",
  auth: "session",
  query: clientQuery,
  response: z.object({ data: z.array(QueueView) }),
});

export const saveViewContract = endpoint({
  id: "portal.queue_views.create",
  method: "POST",
  path: "/portal/api/v1/queue_views",
  tag: "Portal",
  summary: "Create a saved view, or replace the person's view of the same name",
  auth: "session",
  role: "viewer",
  scope: "read",
  query: clientQuery,
  body: NewView,
  status: 201,
  response: single(z.object({ id: z.string() })),
});

export const removeViewContract = endpoint({
  id: "portal.queue_views.remove",
  method: "DELETE",
  path: "/portal/api/v1/queue_views/{id}",
  tag: "Portal",
  summary: "Delete a saved view of the person",
  auth: "session",
  role: "viewer",
  scope: "read",
  params: ViewParams,
  query: clientQuery,
  status: 204,
});

export const hidePhotoContract = endpoint({
  id: "portal.queue.photo",
  method: "PUT",
  path: "/portal/api/v1/queue/{kind}/{id}/photos/{token}",
  tag: "Portal",
  summary: "Hide or show a photo",
  description:
    "A hidden photo isn't shown in any list, page or API response, and its URL stops working. Its author can't restore it. The text stays published.",
  auth: "session",
  role: "moderator",
  params: PhotoParams,
  query: clientQuery,
  body: PhotoInput,
  status: 204,
});
