import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { widgetFormPartContract } from "@/lib/widget/contract";
import { showFormPart } from "@/lib/widget/show-assets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(widgetFormPartContract, ({ params, query, headers }) => showFormPart(params.client_id, query.v, headers)),
);
