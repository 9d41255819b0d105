import { getContribution } from "@/lib/contributions/get-contribution";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getQuestionContract } from "@/lib/questions/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getQuestionContract, ({ actor, client, params }) => getContribution("questions", actor, client, params.id)),
);
