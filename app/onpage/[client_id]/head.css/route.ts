import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { widgetStylesContract } from "@/lib/widget/contract";
import { showStyles } from "@/lib/widget/show-assets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(widgetStylesContract, ({ params, headers }) => showStyles(params.client_id, headers)),
);
