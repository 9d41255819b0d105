import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { widgetStylesContract } from "@/lib/display/widget/contract";
import { showStyles } from "@/lib/display/widget/show-assets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(widgetStylesContract, ({ params, headers }) => showStyles(params.client_id, headers)),
);
