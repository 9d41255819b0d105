import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { widgetCompatPartContract } from "@/lib/display/widget/contract";
import { showPart } from "@/lib/display/widget/show-assets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(widgetCompatPartContract, ({ params, query, headers }) =>
    showPart("compat", params.client_id, query.v, headers),
  ),
);
