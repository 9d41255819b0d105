import { type Actor, allScopes } from "@/lib/accounts/actor";

/** A person who requests their own data, on their page. */
export const authorActor = (clientId: string): Actor => ({
  kind: "visitor",
  id: "author",
  name: "author",
  role: "admin",
  scopes: allScopes,
  clients: new Set([clientId]),
  accountId: null,
});
