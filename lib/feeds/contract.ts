import {
  Feed,
  FeedId,
  FeedInput,
  FeedQuery,
  NewFeed,
  NewUpload,
  RunFeed,
  StartImport,
  Upload,
  UploadPart,
  UploadPartParams,
} from "@/lib/feeds/schema";
import { PART_BYTES } from "@/lib/feeds/values";
import { endpoint } from "@/lib/platform/http/contract";
import { single } from "@/lib/platform/http/fields";

const portal = { tag: "Portal", auth: "session", query: FeedQuery } as const;

export const createFeedContract = endpoint({
  id: "portal.feeds.create",
  method: "POST",
  path: "/portal/api/v1/feeds",
  summary: "Have a feed fetched by a schedule, from now on",
  body: NewFeed,
  status: 201,
  response: single(Feed),
  refusals: ["conflict"],
  ...portal,
});

export const updateFeedContract = endpoint({
  id: "portal.feeds.update",
  method: "PUT",
  path: "/portal/api/v1/feeds/{id}",
  summary: "Change where a feed is fetched, and how often",
  description: "An address given as it is shown keeps its hidden part.",
  params: FeedId,
  body: FeedInput,
  response: single(Feed),
  ...portal,
});

export const deleteFeedContract = endpoint({
  id: "portal.feeds.delete",
  method: "DELETE",
  path: "/portal/api/v1/feeds/{id}",
  summary: "Fetch a feed no more; what it brought stays",
  params: FeedId,
  status: 204,
  ...portal,
});

export const runFeedContract = endpoint({
  id: "portal.feeds.run",
  method: "POST",
  path: "/portal/api/v1/feeds/{id}/run",
  summary: "Fetch a feed now",
  params: FeedId,
  body: RunFeed,
  response: single(Feed),
  refusals: ["conflict"],
  ...portal,
});

export const createUploadContract = endpoint({
  id: "portal.feed_uploads.create",
  method: "POST",
  path: "/portal/api/v1/feed_uploads",
  summary: "Begin to upload a file of products or orders",
  description: "Its parts follow, then its import. What is not imported within a day is removed.",
  body: NewUpload,
  status: 201,
  response: single(Upload),
  refusals: ["conflict"],
  ...portal,
});

export const uploadPartContract = endpoint({
  id: "portal.feed_uploads.part",
  method: "PUT",
  path: "/portal/api/v1/feed_uploads/{id}/parts/{part}",
  summary: "Upload a part of a file, the first being 0",
  description: "The same part again takes the place of the one before.",
  params: UploadPartParams,
  accepts: "multipart",
  body: UploadPart,
  maxBody: PART_BYTES + 64 * 1024,
  status: 204,
  refusals: ["conflict"],
  ...portal,
});

export const startImportContract = endpoint({
  id: "portal.feed_uploads.import",
  method: "POST",
  path: "/portal/api/v1/feed_uploads/{id}/import",
  summary: "Import a file whose parts are all there",
  params: FeedId,
  body: StartImport,
  response: single(Upload.describe("The import, whose report is a page of the portal.")),
  refusals: ["conflict"],
  ...portal,
});
