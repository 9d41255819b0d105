import { findStoresContract } from "@/lib/accounts/contract";
import { findAccessibleClients } from "@/lib/accounts/stores/list-accessible-clients";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(findStoresContract, async ({ actor, query }) => ({ data: await findAccessibleClients(actor, query.q.trim()) })),
);
