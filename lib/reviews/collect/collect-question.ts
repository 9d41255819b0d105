import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pickValidFields } from "@/lib/platform/http/valid-fields";
import type { Issue } from "@/lib/platform/issue";
import { commonOf, readableProductId } from "@/lib/reviews/collect/body-fields";
import { QuestionBody, type QuestionEcho } from "@/lib/reviews/collect/schema";
import type { QuestionSubmission } from "@/lib/reviews/questions/rules";
import { questionIssues, submitQuestion } from "@/lib/reviews/questions/submit-question";

/** Stores a question posted by a store's server or widget. Returns the posted fields without the key. */
export async function collectQuestion(client: ClientRow, body: QuestionBody): Promise<QuestionEcho> {
  await submitQuestion(client, toSubmission(body));
  const { api_key: _, ...echo } = body;
  return echo;
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
