import { listNotificationsContract } from "@/lib/accounts/notifications/contract";
import { listNotifications } from "@/lib/accounts/notifications/list-notifications";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listNotificationsContract, ({ actor, query, url }) => listNotifications(actor, query, url)),
);
