import { listClientsContract } from "@/lib/clients/contract";
import { listClients } from "@/lib/clients/list-clients";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listClientsContract, ({ actor, query, url }) => listClients(actor, query, url)),
);
