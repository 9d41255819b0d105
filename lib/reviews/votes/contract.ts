import { endpoint } from "@/lib/platform/http/contract";
import { FeedbackForm, FeedbackParams } from "@/lib/reviews/votes/schema";

export const giveFeedbackContract = endpoint({
  id: "collect.feedback",
  method: "POST",
  path: "/collect/feedback/{token}",
  tag: "Collection",
  summary: "Vote on a displayed review, or report it",
  description:
    "The address comes with each displayed review as `feedback_url`. A vote of the same `voter_id` replaces its earlier one; without one, votes count once per network address in 24 hours.",
  auth: "public",
  accepts: "form",
  params: FeedbackParams,
  body: FeedbackForm,
  status: 204,
  limit: "feedback",
  refusals: ["forbidden"],
  example: {
    params: { token: "q3mR0n2TTy6VgkXw1sZzAA" },
    body: { type: "up", voter_id: "visitor-8812" },
  },
});
