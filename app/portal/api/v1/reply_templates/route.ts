import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { listTemplatesContract, saveTemplateContract } from "@/lib/reviews/replies/contract";
import { listTemplates, saveTemplate } from "@/lib/reviews/replies/templates";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listTemplatesContract, async ({ client }) => ({ data: await listTemplates(client) })),
  route(saveTemplateContract, async ({ actor, client, body }) => ({ data: await saveTemplate(actor, client, body) })),
);
