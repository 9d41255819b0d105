import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";
import { Question, QuestionFilter, QuestionId } from "@/lib/reviews/questions/schema";

const exampleQuestion = {
  id: "1d9a6b3f70c2e584",
  author: "Bo",
  date: "2026-05-22",
  question: "Which bulb does it take?",
  details: "",
  lang: "en",
  product: "Oak table lamp, small",
  product_ids: ["LAMP-OAK-S"],
  family_ids: ["LAMP-OAK"],
  answers: [{ author: "Example Shop", date: "2026-05-23", answer: "E27, at most 40 W.", lang: "en" }],
  images: [],
  properties: {},
  author_email: "bo@example.org",
  mail_answer: true,
  accepted: true,
  accepted_at: "2026-05-22T10:40:03Z",
  reject_reason: null,
  updated_at: "2026-05-23T06:58:31Z",
  portal_url: "https://reviews.example.com/portal/questions/1d9a6b3f70c2e584?client_id=shop.example.com",
};

export const listQuestionsContract = endpoint({
  id: "questions.list",
  method: "GET",
  path: "/v1/questions",
  tag: "Questions",
  summary: "List questions about products with any status",
  description:
    "Oldest first, or by last change with `updated_after`, as for reviews. A question changes when an answer to it is published, changed or unpublished.",
  auth: "management",
  query: QuestionFilter,
  response: page(Question),
  example: {
    query: "client_id=shop.example.com&moderation_status=accepted",
    answer: { data: [exampleQuestion], links: {} },
  },
});

export const getQuestionContract = endpoint({
  id: "questions.get",
  method: "GET",
  path: "/v1/questions/{id}",
  tag: "Questions",
  summary: "Retrieve a question",
  auth: "management",
  params: QuestionId,
  query: z.object({ client_id: clientId }),
  response: single(Question),
  example: {
    params: { id: exampleQuestion.id },
    query: "client_id=shop.example.com",
    answer: { data: exampleQuestion },
  },
});
