import { listContributions } from "@/lib/contributions/list-contributions";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listQuestionsContract } from "@/lib/questions/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listQuestionsContract, ({ actor, client, query, url }) =>
    listContributions("questions", actor, client, query, url),
  ),
);
