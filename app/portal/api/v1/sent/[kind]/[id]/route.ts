import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getSentContract } from "@/lib/integrations/contract";
import { listSent } from "@/lib/integrations/list-sent";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getSentContract, async ({ client, params }) => ({ data: await listSent(client, params.kind, params.id) })),
);
