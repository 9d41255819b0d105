import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { getContribution } from "@/lib/reviews/contributions/get-contribution";
import { getQuestionContract } from "@/lib/reviews/questions/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getQuestionContract, ({ actor, client, params }) => getContribution("questions", actor, client, params.id)),
);
