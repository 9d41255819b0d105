import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { structuredDataContract } from "@/lib/display/widget/contract";
import { showStructuredData } from "@/lib/display/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(structuredDataContract, ({ params, query, headers }) => showStructuredData(params.client_id, query, headers)),
);
