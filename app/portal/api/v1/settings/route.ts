import { setSettingsContract } from "@/lib/clients/contract";
import { setClient } from "@/lib/clients/set-client";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setSettingsContract, async ({ actor, client, body }) => ({
    data: { version: await setClient(client.id, body.settings, actor, body.version) },
  })),
);
