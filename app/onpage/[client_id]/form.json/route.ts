import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { widgetFormContract } from "@/lib/widget/contract";
import { showForm } from "@/lib/widget/show-form";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(widgetFormContract, ({ params, query }) => showForm(params.client_id, query)),
);
