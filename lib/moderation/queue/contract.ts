import { z } from "zod";
import {
  DecidedItem,
  DecisionInput,
  DecisionsInput,
  ItemCase,
  ItemOutcome,
  ItemParams,
  Looks,
  NewView,
  PhotoInput,
  PhotoParams,
  QueueItem,
  QueueQuery,
  QueueView,
  RejectionMail,
  ViewParams,
  Waiting,
  WrittenParams,
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
  summary: "Reviews, seller reviews, questions, answers and photos as the moderation queue shows them",
  description: "Pending ones oldest first, others newest first; a page may hold few rows and still have a next one.",
  auth: "session",
  query: QueueQuery,
  response: page(QueueItem),
});

export const getCaseContract = endpoint({
  id: "portal.queue.get",
  method: "GET",
  path: "/portal/api/v1/queue/{kind}/{id}",
  tag: "Portal",
  summary: "An item with its order, invitation, replies and history",
  auth: "session",
  params: ItemParams,
  query: clientQuery,
  response: single(ItemCase),
});

export const decideContract = endpoint({
  id: "portal.queue.decide",
  method: "PUT",
  path: "/portal/api/v1/queue/{kind}/{id}",
  tag: "Portal",
  summary: "Accept or reject an item, or put it back to pending",
  description:
    "Others hear of it ten seconds later, so that it can be undone before. Where somebody else decided since the person looked, nothing is changed.",
  auth: "session",
  role: "moderator",
  params: ItemParams,
  query: clientQuery,
  body: DecisionInput,
  response: single(DecidedItem),
  refusals: ["conflict"],
});

export const decideAllContract = endpoint({
  id: "portal.queue.decide_all",
  method: "PUT",
  path: "/portal/api/v1/queue",
  tag: "Portal",
  summary: "Decide up to 200 items at once, each by itself",
  description:
    "The answer says of each item, in the order given, whether it was decided, somebody else was faster, or it is gone: those change nothing and hinder no other. Others hear of decisions ten seconds later, as of single ones.",
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
  summary: "Close a review's reports, once somebody has looked at them",
  auth: "session",
  role: "moderator",
  params: ReviewId,
  query: clientQuery,
  status: 204,
});

export const waitingContract = endpoint({
  id: "portal.waiting",
  method: "GET",
  path: "/portal/api/v1/waiting",
  tag: "Portal",
  summary: "How much waits for a decision, since when, and in whose queue",
  auth: "session",
  query: clientQuery,
  response: single(Waiting),
});

export const lookContract = endpoint({
  id: "portal.queue.look",
  method: "PUT",
  path: "/portal/api/v1/queue/{kind}/{id}/look",
  tag: "Portal",
  summary: "Say that one looks at an item, and hear who else does",
  description: "Counts for two minutes, or until one looks at another item of the client. It hinders nobody.",
  auth: "session",
  role: "moderator",
  params: ItemParams,
  query: clientQuery,
  response: single(Looks),
});

export const rejectionMailContract = endpoint({
  id: "portal.queue.rejection_mail",
  method: "GET",
  path: "/portal/api/v1/queue/{kind}/{id}/rejection_mail",
  tag: "Portal",
  summary: "What an item's author would be mailed if it were rejected, for each reason",
  auth: "session",
  role: "moderator",
  params: WrittenParams,
  query: clientQuery,
  response: single(RejectionMail),
});

export const listViewsContract = endpoint({
  id: "portal.queue_views.list",
  method: "GET",
  path: "/portal/api/v1/queue_views",
  tag: "Portal",
  summary: "Ways to look at the queue, those of everybody and one's own, and how much each shows",
  auth: "session",
  query: clientQuery,
  response: z.object({ data: z.array(QueueView) }),
});

export const saveViewContract = endpoint({
  id: "portal.queue_views.create",
  method: "POST",
  path: "/portal/api/v1/queue_views",
  tag: "Portal",
  summary: "Keep a way to look at the queue; one's own of the same name is replaced",
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
  summary: "Remove one of one's own ways to look at the queue",
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
  summary: "Hide a photo and keep what came with it, or show it again",
  description:
    "A hidden photo is in no list, on no page and in no API; its address is dead. Its author cannot bring it back.",
  auth: "session",
  role: "moderator",
  params: PhotoParams,
  query: clientQuery,
  body: PhotoInput,
  status: 204,
});
