import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { listContributions } from "@/lib/reviews/contributions/list-contributions";
import { listQuestionsContract } from "@/lib/reviews/questions/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listQuestionsContract, ({ actor, client, query, url }) =>
    listContributions("questions", actor, client, query, url),
  ),
);
