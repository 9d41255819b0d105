import { listColleagues } from "@/lib/accounts/colleagues";
import { listColleaguesContract } from "@/lib/accounts/contract";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listColleaguesContract, async ({ actor, client }) => ({ data: await listColleagues(actor, client) })),
);
