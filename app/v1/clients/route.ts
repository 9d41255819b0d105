import { listClientsContract } from "@/lib/accounts/stores/contract";
import { listClients } from "@/lib/accounts/stores/list-clients";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listClientsContract, ({ actor, query, url }) => listClients(actor, query, url)),
);
