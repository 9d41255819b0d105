import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { questionsFragmentContract } from "@/lib/widget/contract";
import { showQuestionList } from "@/lib/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(questionsFragmentContract, ({ params, query, headers }) => showQuestionList(params.client_id, query, headers)),
);
