import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { widgetScriptContract } from "@/lib/widget/contract";
import { showScript } from "@/lib/widget/show-assets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(widgetScriptContract, ({ params, query, headers }) => showScript(params.client_id, query.lang, headers)),
);
