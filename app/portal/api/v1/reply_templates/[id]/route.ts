import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { removeTemplateContract } from "@/lib/replies/contract";
import { removeTemplate } from "@/lib/replies/templates";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(removeTemplateContract, ({ client, params }) => removeTemplate(client, params.id)),
);
