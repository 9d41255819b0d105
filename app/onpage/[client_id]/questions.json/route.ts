import { displayQuestionsContract } from "@/lib/display/contract";
import { showQuestions } from "@/lib/display/show-questions";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displayQuestionsContract, ({ params, query, headers }) =>
    showQuestions(params.client_id, query, {
      callback: query.callback,
      ifNoneMatch: headers.get("if-none-match"),
    }),
  ),
);
