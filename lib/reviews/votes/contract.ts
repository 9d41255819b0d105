import { endpoint } from "@/lib/platform/http/contract";
import { FeedbackForm, FeedbackParams, FeedbackQuery } from "@/lib/reviews/votes/schema";

export const giveFeedbackContract = endpoint({
  id: "collect.feedback",
  method: "POST",
  path: "/collect/feedback/{token}",
  tag: "Collection",
  summary: "Vote on a review, or report it",
  description:
    "Each displayed review contains this URL as `feedback_url`. A vote replaces an earlier one by the same `voter_id`. Without `voter_id`, it replaces the one from the same IP address in the last 24 hours; the stored keyed hash of the address is removed within an hour after that, from reports too. The URL can also be opened: `GET` with these fields as parameters changes nothing and returns a page with a button, which sends no `comment`. It counts only for scripts of pages that the store allows, as a script element with `callback` or as `fetch`, which browsers report in `Sec-Fetch-Dest`. Prefetching browsers (`Sec-Purpose: prefetch`), and email scanners and other programs, which send no `Sec-Fetch-*` headers, never vote.",
  auth: "public",
  accepts: "form",
  params: FeedbackParams,
  body: FeedbackForm,
  status: 204,
  alternatives: { 200: undefined },
  alsoProduces: ["text/html; charset=utf-8"],
  errorPages: [404],
  limit: "feedback",
  errors: ["forbidden"],
  example: {
    params: { token: "q3mR0n2TTy6VgkXw1sZzAA" },
    body: { type: "up", voter_id: "visitor-8812" },
  },
});

export const feedbackLinkContract = endpoint({
  id: "collect.feedback_link",
  method: "GET",
  path: "/collect/feedback/{token}",
  tag: "Collection",
  summary: "The page behind a link to vote on a review or report it",
  description:
    "Changes nothing for anyone but scripts of allowed pages, since browsers and email scanners open links too.",
  auth: "public",
  params: FeedbackParams,
  query: FeedbackQuery,
  produces: "text/html; charset=utf-8",
  alternatives: { 204: undefined },
  alsoProduces: ["text/javascript; charset=utf-8"],
  limit: "feedback",
  errors: ["forbidden"],
});
