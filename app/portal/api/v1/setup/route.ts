import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { changeSetup } from "@/lib/insights/setup/change-setup";
import { changeSetupContract } from "@/lib/insights/setup/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changeSetupContract, ({ client, body }) => changeSetup(client, body)),
);
