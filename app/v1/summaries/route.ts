import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { listSummariesContract } from "@/lib/catalog/summaries/contract";
import { listSummaries } from "@/lib/catalog/summaries/list-summaries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listSummariesContract, ({ client, query, url }) => listSummaries(client, query, url)),
);
