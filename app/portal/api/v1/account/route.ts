import { changeAccountContract, getAccountContract } from "@/lib/accounts/contract";
import { changeOwnAccount, getOwnAccount } from "@/lib/accounts/own-account";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getAccountContract, async ({ actor }) => ({ data: await getOwnAccount(actor) })),
  route(changeAccountContract, async ({ actor, body }) => {
    await changeOwnAccount(actor, body);
    return undefined;
  }),
);
