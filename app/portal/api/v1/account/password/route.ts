import { changePasswordContract } from "@/lib/accounts/contract";
import { changePassword } from "@/lib/accounts/set-password";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changePasswordContract, async ({ actor, body }) => {
    await changePassword(actor, body);
    return undefined;
  }),
);
