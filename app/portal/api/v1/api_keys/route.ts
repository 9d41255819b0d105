import { createKey } from "@/lib/accounts/api-keys";
import { createApiKeyContract, listApiKeysContract } from "@/lib/accounts/contract";
import { listClientKeys } from "@/lib/accounts/list-client-keys";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listApiKeysContract, async ({ actor, client }) => ({ data: await listClientKeys(actor, client) })),
  route(createApiKeyContract, async ({ actor, client, body: { name, scopes, clients = [client.id] } }) => {
    const { id, secret } = await createKey({ name, scopes, clients, by: actor });
    return { data: { id, secret } };
  }),
);
