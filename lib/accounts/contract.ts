import { z } from "zod";
import { ApiKey, ClientQuery, IdParams, IssuedApiKey, NewApiKey } from "@/lib/accounts/schema";
import { endpoint } from "@/lib/http/contract";
import { single } from "@/lib/http/fields";

const admins = { tag: "Portal", auth: "session", role: "admin", query: ClientQuery } as const;

export const listApiKeysContract = endpoint({
  ...admins,
  id: "portal.api_keys.list",
  method: "GET",
  path: "/portal/api/v1/api_keys",
  summary: "Keys that reach a client, without their secrets: those in use first, the newest first",
  response: z.object({ data: z.array(ApiKey) }),
});

export const createApiKeyContract = endpoint({
  ...admins,
  id: "portal.api_keys.create",
  method: "POST",
  path: "/portal/api/v1/api_keys",
  summary: "Make a key for some of the person's clients; its secret is told this once",
  body: NewApiKey,
  status: 201,
  response: single(IssuedApiKey),
  refusals: ["not_found"],
});

export const revokeApiKeyContract = endpoint({
  ...admins,
  id: "portal.api_keys.revoke",
  method: "DELETE",
  path: "/portal/api/v1/api_keys/{id}",
  summary: "End a key: it is refused everywhere within a second",
  description: "A key that reaches clients which are not the person's is theirs to end: `forbidden`.",
  params: IdParams,
  status: 204,
});
