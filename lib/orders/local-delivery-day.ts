import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { ItemInput } from "@/lib/orders/schema";
import { dayIn } from "@/lib/platform/clock";

/** Converts a delivery timestamp to the day in the client's time zone. */
export const withLocalDeliveryDay = <T extends Pick<ItemInput, "delivery_date">>(
  client: Pick<ClientRow, "config">,
  item: T,
): T =>
  item.delivery_date && item.delivery_date.length > "YYYY-MM-DD".length
    ? { ...item, delivery_date: dayIn(timeZoneOf(client), new Date(item.delivery_date)) }
    : item;
