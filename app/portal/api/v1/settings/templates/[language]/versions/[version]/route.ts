import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { getVersionContract } from "@/lib/invitations/template-blocks/contract";
import { getVersion } from "@/lib/invitations/template-blocks/versions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getVersionContract, async ({ client, params }) => ({ data: await getVersion(client.id, params) })),
);
