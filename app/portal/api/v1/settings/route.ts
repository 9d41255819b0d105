import { setSettingsContract } from "@/lib/accounts/stores/contract";
import { setClient } from "@/lib/accounts/stores/set-client";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setSettingsContract, async ({ actor, client, body }) => ({
    data: { version: await setClient(client.id, body.settings, actor, body.version) },
  })),
);
