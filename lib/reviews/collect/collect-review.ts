import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { receiptHeader } from "@/lib/platform/http/honesty-page";
import { Reply } from "@/lib/platform/http/reply";
import { pickValidFields } from "@/lib/platform/http/valid-fields";
import type { Issue } from "@/lib/platform/issue";
import { commonOf, nullIfBlank, readableProductId } from "@/lib/reviews/collect/body-fields";
import { ReviewBody, type ReviewEcho } from "@/lib/reviews/collect/schema";
import type { ReviewSubmission } from "@/lib/reviews/reviews/rules";
import { submissionIssues, submitReview } from "@/lib/reviews/reviews/submit-review";
import { submissionReceipt } from "@/lib/reviews/submissions/submission-receipt";

/** Stores a review posted by a store's server or widget. Returns the posted fields without the key, and the receipt as a link. */
export async function collectReview(client: ClientRow, body: ReviewBody): Promise<Reply<ReviewEcho>> {
  const stored = await submitReview(client, toSubmission(body));
  const { api_key: _, ...echo } = body;
  return new Reply(echo, { headers: receiptHeader(client.id, await submissionReceipt(client.id, "review", stored)) });
}

/** Further errors of an invalid body, for the fields that can be parsed. */
export function malformedSubmissionIssues(client: ClientRow, given: unknown): Promise<Issue[]> {
  const { body, unreadable } = pickValidFields(ReviewBody, given);
  const { productId, content, ...submission } = toSubmission(body);
  return submissionIssues(client, {
    ...submission,
    productId: readableProductId(productId, unreadable),
    content: unreadable.has("content") ? undefined : content,
  });
}

const toSubmission = (body: ReviewBody): ReviewSubmission => ({
  ...commonOf(body),
  source: "collect",
  category: null,
  score: body.score,
  title: nullIfBlank(body.title),
  content: body.content ?? "",
  pros: body.pros ?? [],
  cons: body.cons ?? [],
  recommended: body.recommended ?? null,
  order: null,
});
