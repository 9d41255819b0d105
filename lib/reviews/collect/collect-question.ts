import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { receiptHeader } from "@/lib/platform/http/honesty-page";
import { Reply } from "@/lib/platform/http/reply";
import { pickValidFields } from "@/lib/platform/http/valid-fields";
import type { Issue } from "@/lib/platform/issue";
import { commonOf, readableProductId } from "@/lib/reviews/collect/body-fields";
import { QuestionBody, type QuestionEcho } from "@/lib/reviews/collect/schema";
import type { QuestionSubmission } from "@/lib/reviews/questions/rules";
import { questionIssues, submitQuestion } from "@/lib/reviews/questions/submit-question";
import { submissionReceipt } from "@/lib/reviews/submissions/submission-receipt";

/** Stores a question posted by a store's server or widget. Returns the posted fields without the key, and the receipt as a link. */
export async function collectQuestion(client: ClientRow, body: QuestionBody): Promise<Reply<QuestionEcho>> {
  const stored = await submitQuestion(client, toSubmission(body));
  const { api_key: _, ...echo } = body;
  return new Reply(echo, { headers: receiptHeader(client.id, await submissionReceipt(client.id, "question", stored)) });
}

/** Further errors of an invalid body, for the fields that can be parsed. */
export function malformedQuestionIssues(client: ClientRow, given: unknown): Promise<Issue[]> {
  const { body, unreadable } = pickValidFields(QuestionBody, given);
  const { productId, ...submission } = toSubmission(body);
  return questionIssues(client, { ...submission, productId: readableProductId(productId, unreadable) });
}

const toSubmission = (body: QuestionBody): QuestionSubmission => ({
  ...commonOf(body),
  source: "collect",
  question: body.question,
  details: body.details ?? "",
  mailAnswer: body.mail_answer === "true",
});
