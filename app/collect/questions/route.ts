import { collectQuestion, faultsOfQuestion } from "@/lib/collect/collect-question";
import { collectQuestionContract } from "@/lib/collect/contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(collectQuestionContract, ({ client, body }) => collectQuestion(client, body), faultsOfQuestion),
);
