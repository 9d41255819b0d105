import { Client, ClientFilter } from "@/lib/clients/schema";
import { endpoint } from "@/lib/http/contract";
import { page } from "@/lib/http/fields";

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
