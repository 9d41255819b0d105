import {
  DisplayParams,
  DisplayQuestionList,
  DisplayRatings,
  DisplayReviewList,
  DisplaySellerReviewList,
  DisplaySummary,
  QuestionListQuery,
  RatingsQuery,
  ReviewListQuery,
  SellerReviewListQuery,
  SummaryQuery,
} from "@/lib/display/schema";
import { endpoint } from "@/lib/platform/http/contract";

const tagged = "Strong ETag; `If-None-Match` answers 304.";
const described = `Where the client groups by family, \`key\` answers for the product's whole family. ${tagged}`;

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
  summary: "Accepted reviews of a product or family, in the order asked",
  description: `${described} Take the address from \`your_review_url\`, add what you choose by, and follow \`next_page_url\` while there is one.`,
  auth: "public",
  params: DisplayParams,
  query: ReviewListQuery,
  response: DisplayReviewList,
  ...cached,
});

export const displayQuestionsContract = endpoint({
  id: "display.questions",
  method: "GET",
  path: "/onpage/{client_id}/questions.json",
  tag: "Display",
  summary: "Answered questions about a product or family, newest first",
  description: `${described} Take the address from \`your_question_url\` and follow \`next_page_url\` while there is one.`,
  auth: "public",
  params: DisplayParams,
  query: QuestionListQuery,
  response: DisplayQuestionList,
  ...cached,
});

export const displaySellerReviewsContract = endpoint({
  id: "display.seller_reviews",
  method: "GET",
  path: "/onpage/{client_id}/seller_reviews.json",
  tag: "Display",
  summary: "Accepted reviews of the seller, newest first, and their figures",
  description: `The figures are those of all accepted reviews, whichever are listed. ${tagged}`,
  auth: "public",
  params: DisplayParams,
  query: SellerReviewListQuery,
  response: DisplaySellerReviewList,
  ...cached,
});

export const displayRatingsContract = endpoint({
  id: "display.ratings",
  method: "GET",
  path: "/onpage/{client_id}/ratings.json",
  tag: "Display",
  summary: "The ratings of many products at once, for pages that list them",
  description: `${described} An address may be 16 KB long with all headers: ask twice where ids are long.`,
  auth: "public",
  params: DisplayParams,
  query: RatingsQuery,
  response: DisplayRatings,
  ...cached,
});
