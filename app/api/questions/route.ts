import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { collectQuestion, malformedQuestionIssues } from "@/lib/reviews/collect/collect-question";
import { oldCollectQuestionContract } from "@/lib/reviews/collect/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(oldCollectQuestionContract, ({ client, body }) => collectQuestion(client, body), malformedQuestionIssues),
);
