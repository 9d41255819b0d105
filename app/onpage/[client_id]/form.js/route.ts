import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { widgetFormPartContract } from "@/lib/display/widget/contract";
import { showPart } from "@/lib/display/widget/show-assets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(widgetFormPartContract, ({ params, query, headers }) => showPart("form", params.client_id, query.v, headers)),
);
