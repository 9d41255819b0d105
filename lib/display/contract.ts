import { DisplayParams, DisplayReviewList, DisplaySummary, ReviewListQuery, SummaryQuery } from "@/lib/display/schema";
import { endpoint } from "@/lib/http/contract";

const described =
  "Where the client groups by family, `key` answers for the product's whole family. Strong ETag; `If-None-Match` answers 304.";

const cached = { alternatives: { 304: undefined }, alsoProduces: ["text/javascript; charset=utf-8"] };

export const displaySummaryContract = endpoint({
  id: "display.summary",
  method: "GET",
  path: "/onpage/{client_id}/reviews.json",
  tag: "Display",
  summary: "What a product page shows: counts, scores, and where the reviews are",
  description: described,
  auth: "public",
  params: DisplayParams,
  query: SummaryQuery,
  response: DisplaySummary,
  ...cached,
});

export const displayReviewsContract = endpoint({
  id: "display.reviews",
  method: "GET",
  path: "/onpage/{client_id}/reviews/list.json",
  tag: "Display",
  summary: "Accepted reviews of a product or family, newest first",
  description: `${described} Take the address from \`your_review_url\` and follow \`next_page_url\` while there is one.`,
  auth: "public",
  params: DisplayParams,
  query: ReviewListQuery,
  response: DisplayReviewList,
  ...cached,
});
