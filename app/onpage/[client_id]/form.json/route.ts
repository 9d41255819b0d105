import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { widgetFormContract } from "@/lib/display/widget/contract";
import { showForm } from "@/lib/display/widget/show-form";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(widgetFormContract, ({ params, query }) => showForm(params.client_id, query)),
);
