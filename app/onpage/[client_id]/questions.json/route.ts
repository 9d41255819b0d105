import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { displayQuestionsContract } from "@/lib/display/contract";
import { showQuestions } from "@/lib/display/show-questions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displayQuestionsContract, ({ params, query, headers }) =>
    showQuestions(params.client_id, query, {
      callback: query.callback,
      ifNoneMatch: headers.get("if-none-match"),
    }),
  ),
);
