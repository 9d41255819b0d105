import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { removeTemplateContract } from "@/lib/reviews/replies/contract";
import { removeTemplate } from "@/lib/reviews/replies/templates";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(removeTemplateContract, ({ client, params }) => removeTemplate(client, params.id)),
);
