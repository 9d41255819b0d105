import { z } from "zod";
import { Client, ClientFilter } from "@/lib/accounts/stores/schema";
import { SettingsInput } from "@/lib/accounts/stores/settings";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";

export const listClientsContract = endpoint({
  id: "clients.list",
  method: "GET",
  path: "/v1/clients",
  tag: "Clients",
  summary: "List the clients the caller reaches, with their settings",
  auth: "management",
  client: "all",
  query: ClientFilter,
  response: page(Client),
});

export const setSettingsContract = endpoint({
  id: "portal.settings",
  method: "PUT",
  path: "/portal/api/v1/settings",
  tag: "Portal",
  summary: "Change settings of a client",
  description:
    "All or none of them; what they must be to each other is checked with those that stay. `config`, `rules`, `custom_questions` and `allowed_origins` are replaced whole.",
  auth: "session",
  query: z.object({ client_id: clientId }),
  body: SettingsInput,
  response: single(z.object({ version: z.int().meta({ description: "That of the settings as they are now." }) })),
  refusals: ["conflict"],
});
