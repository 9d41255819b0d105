import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { checkSender } from "@/lib/insights/setup/check-sender";
import { checkSenderContract } from "@/lib/insights/setup/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(checkSenderContract, async ({ actor, client }) => ({ data: await checkSender(actor, client) })),
);
