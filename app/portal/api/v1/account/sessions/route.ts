import { endSessionsContract, listSessionsContract } from "@/lib/accounts/contract";
import { endOtherSessions, listSessions } from "@/lib/accounts/own-account";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listSessionsContract, async ({ actor }) => ({ data: await listSessions(actor) })),
  route(endSessionsContract, async ({ actor }) => {
    await endOtherSessions(actor);
    return undefined;
  }),
);
