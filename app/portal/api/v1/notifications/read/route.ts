import { readNotificationsContract } from "@/lib/accounts/notifications/contract";
import { markAllRead } from "@/lib/accounts/notifications/mark-read";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(readNotificationsContract, async ({ actor, body }) => {
    await markAllRead(actor, body.up_to);
    return undefined;
  }),
);
