import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { restoreVersionContract } from "@/lib/invitations/template-blocks/contract";
import { restoreTemplate } from "@/lib/settings/restore-template";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(restoreVersionContract, async ({ actor, client, params, body }) => ({
    data: { version: await restoreTemplate(client.id, params, body.version, actor) },
  })),
);
