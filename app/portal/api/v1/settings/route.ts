import { setSettingsContract } from "@/lib/accounts/stores/contract";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { setClient } from "@/lib/settings/set-client";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setSettingsContract, async ({ actor, client, body: { settings, version, blocks } }) => ({
    data: { version: await setClient(client.id, settings, actor, version, { blocks }) },
  })),
);
