import { readNotificationContract } from "@/lib/accounts/notifications/contract";
import { markRead } from "@/lib/accounts/notifications/mark-read";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(readNotificationContract, async ({ actor, params }) => {
    await markRead(actor, params.id);
    return undefined;
  }),
);
