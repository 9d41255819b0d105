import {
  listNotificationSettingsContract,
  setNotificationSettingsContract,
} from "@/lib/accounts/notifications/contract";
import { listNotificationSettings, setNotificationSettings } from "@/lib/accounts/notifications/notification-settings";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listNotificationSettingsContract, async ({ actor }) => ({ data: await listNotificationSettings(actor) })),
  route(setNotificationSettingsContract, async ({ actor, body }) => {
    await setNotificationSettings(actor, body.settings);
    return undefined;
  }),
);
