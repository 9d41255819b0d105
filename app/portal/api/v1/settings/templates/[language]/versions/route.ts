import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { listVersionsContract } from "@/lib/invitations/template-blocks/contract";
import { listVersions } from "@/lib/invitations/template-blocks/versions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listVersionsContract, async ({ client, params }) => ({ data: await listVersions(client.id, params.language) })),
);
