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
  summary: "Create a scheduled feed",
  body: NewFeed,
  status: 201,
  response: single(Feed),
  errors: ["conflict"],
  ...portal,
});

export const updateFeedContract = endpoint({
  id: "portal.feeds.update",
  method: "PUT",
  path: "/portal/api/v1/feeds/{id}",
  summary: "Change a feed's URL or schedule",
  description: "If you send the URL as it is shown, its hidden part is kept.",
  params: FeedId,
  body: FeedInput,
  response: single(Feed),
  ...portal,
});

export const deleteFeedContract = endpoint({
  id: "portal.feeds.delete",
  method: "DELETE",
  path: "/portal/api/v1/feeds/{id}",
  summary: "Delete a feed and keep its imported data",
  params: FeedId,
  status: 204,
  ...portal,
});

export const runFeedContract = endpoint({
  id: "portal.feeds.run",
  method: "POST",
  path: "/portal/api/v1/feeds/{id}/run",
  summary: "Run a feed now",
  params: FeedId,
  body: RunFeed,
  response: single(Feed),
  errors: ["conflict"],
  ...portal,
});

export const createUploadContract = endpoint({
  id: "portal.feed_uploads.create",
  method: "POST",
  path: "/portal/api/v1/feed_uploads",
  summary: "Start the upload of a file of products, orders or reviews",
  description: "Next, upload its parts and import it. A file that is not imported within a day is deleted.",
  body: NewUpload,
  status: 201,
  response: single(Upload),
  errors: ["conflict"],
  ...portal,
});

export const uploadPartContract = endpoint({
  id: "portal.feed_uploads.part",
  method: "PUT",
  path: "/portal/api/v1/feed_uploads/{id}/parts/{part}",
  summary: "Upload a part of a file, starting with part 0",
  description: "A part that is uploaded again replaces the earlier one.",
  params: UploadPartParams,
  accepts: "multipart",
  body: UploadPart,
  maxBody: PART_BYTES + 64 * 1024,
  status: 204,
  errors: ["conflict"],
  ...portal,
});

export const startImportContract = endpoint({
  id: "portal.feed_uploads.import",
  method: "POST",
  path: "/portal/api/v1/feed_uploads/{id}/import",
  summary: "Import a completely uploaded file",
  params: FeedId,
  body: StartImport,
  response: single(Upload.describe("The import. Its report is a page of the portal.")),
  errors: ["conflict"],
  ...portal,
});
