import { countNotificationsContract } from "@/lib/accounts/notifications/contract";
import { countNotifications } from "@/lib/accounts/notifications/list-notifications";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(countNotificationsContract, async ({ actor }) => ({ data: await countNotifications(actor) })),
);
