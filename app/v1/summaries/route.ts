import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listSummariesContract } from "@/lib/summaries/contract";
import { listSummaries } from "@/lib/summaries/list-summaries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listSummariesContract, ({ client, query, url }) => listSummaries(client, query, url)),
);
