import { z } from "zod";
import { endpoint } from "@/lib/http/contract";
import { clientId, page, single } from "@/lib/http/fields";
import { QueueItem, QueueQuery, ReviewCase, Waiting } from "@/lib/queue/schema";
import { ReviewId } from "@/lib/reviews/schema";

const clientQuery = z.object({ client_id: clientId });

export const listQueueContract = endpoint({
  id: "portal.reviews.list",
  method: "GET",
  path: "/portal/api/v1/reviews",
  tag: "Portal",
  summary: "Reviews as the moderation queue shows them",
  description: "Pending ones oldest first, others newest first; a page may hold few rows and still have a next one.",
  auth: "session",
  query: QueueQuery,
  response: page(QueueItem),
});

export const getCaseContract = endpoint({
  id: "portal.reviews.get",
  method: "GET",
  path: "/portal/api/v1/reviews/{id}",
  tag: "Portal",
  summary: "A review with its order, invitation and history",
  auth: "session",
  params: ReviewId,
  query: clientQuery,
  response: single(ReviewCase),
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
  summary: "How many reviews wait for a decision, since when, and in whose queue",
  auth: "session",
  query: clientQuery,
  response: single(Waiting),
});
