import { createAccountContract } from "@/lib/accounts/contract";
import { createAccount } from "@/lib/accounts/create-account";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createAccountContract, async ({ body }) => ({ data: await createAccount(body.name) })),
);
