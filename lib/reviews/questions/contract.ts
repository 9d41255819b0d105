import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";
import { Question, QuestionFilter, QuestionId } from "@/lib/reviews/questions/schema";

export const listQuestionsContract = endpoint({
  id: "questions.list",
  method: "GET",
  path: "/v1/questions",
  tag: "Questions",
  summary: "List questions about products, published and not",
  description:
    "Candor's own addition. Oldest first; with `updated_after` by last change, as the reviews. A question changes when an answer to it is published, changed or withdrawn.",
  auth: "management",
  query: QuestionFilter,
  response: page(Question),
});

export const getQuestionContract = endpoint({
  id: "questions.get",
  method: "GET",
  path: "/v1/questions/{id}",
  tag: "Questions",
  summary: "One question",
  auth: "management",
  params: QuestionId,
  query: z.object({ client_id: clientId }),
  response: single(Question),
});
