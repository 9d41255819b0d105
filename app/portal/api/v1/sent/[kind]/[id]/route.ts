import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { getSentContract } from "@/lib/integrations/contract";
import { listSent } from "@/lib/integrations/list-sent";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getSentContract, async ({ client, params }) => ({ data: await listSent(client, params.kind, params.id) })),
);
