import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { questionsFragmentContract } from "@/lib/display/widget/contract";
import { showQuestionList } from "@/lib/display/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(questionsFragmentContract, ({ params, query, headers }) => showQuestionList(params.client_id, query, headers)),
);
