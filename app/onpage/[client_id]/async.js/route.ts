import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { asyncScriptContract } from "@/lib/display/widget/contract";
import { showScript } from "@/lib/display/widget/show-assets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(asyncScriptContract, ({ params, query, headers }) => showScript(params.client_id, query.lang, headers)),
);
