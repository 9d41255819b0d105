import { endpoint } from "@/lib/platform/http/contract";
import { FeedbackForm, FeedbackParams } from "@/lib/reviews/votes/schema";

export const giveFeedbackContract = endpoint({
  id: "collect.feedback",
  method: "POST",
  path: "/collect/feedback/{token}",
  tag: "Collection",
  summary: "Vote on a review, or report it",
  description:
    "Each displayed review contains this URL as `feedback_url`. A vote replaces an earlier one by the same `voter_id`. Without `voter_id`, votes count once per IP address in 24 hours.",
  auth: "public",
  accepts: "form",
  params: FeedbackParams,
  body: FeedbackForm,
  status: 204,
  limit: "feedback",
  errors: ["forbidden"],
  example: {
    params: { token: "q3mR0n2TTy6VgkXw1sZzAA" },
    body: { type: "up", voter_id: "visitor-8812" },
  },
});
