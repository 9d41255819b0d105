import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { checkWidget } from "@/lib/insights/setup/check-widget";
import { checkWidgetContract } from "@/lib/insights/setup/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(checkWidgetContract, async ({ actor, client, body }) => ({ data: await checkWidget(actor, client, body.url) })),
);
