import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listTemplatesContract, saveTemplateContract } from "@/lib/replies/contract";
import { listTemplates, saveTemplate } from "@/lib/replies/templates";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listTemplatesContract, async ({ client }) => ({ data: await listTemplates(client) })),
  route(saveTemplateContract, async ({ actor, client, body }) => ({ data: await saveTemplate(actor, client, body) })),
);
