import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { structuredDataContract } from "@/lib/widget/contract";
import { showStructuredData } from "@/lib/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(structuredDataContract, ({ params, query, headers }) => showStructuredData(params.client_id, query, headers)),
);
