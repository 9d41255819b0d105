import { checkOf } from "@/lib/integrations/check-of";
import type { Opened } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";
import { AppError } from "@/lib/platform/errors";
import type { Reason } from "@/lib/platform/issue";
import { refusesRights, StoreFault } from "./read-fault";
import { isWronglySigned, listOf } from "./read-pages";
import { keepLogin, loginOf, readLogin } from "./state";
import { storeOf } from "./sync-commerce";

/**
 * Tries a client's shop: whether it lets us in, tells orders, shipments and products, and understands what we ask. What
 * orders can come in without says so and is no failure. A log-in that was refused is not tried again as it is.
 */
export async function checkCommerce(integration: Opened<"commerce">): Promise<Check[]> {
  const { clientId, settings } = integration;
  const login = readLogin(integration);
  if (settings.auth === "password" && login.refused === loginOf(integration))
    return [checkOf("Sign-in", false, { reason: "shop_login_refused_before" })];
  try {
    const store = storeOf(integration, login, { waits: [], timeout: 15_000 });
    const one = { groups: [], sort: ["entity_id"], size: 1 };
    const { total } = listOf(await store.orders({ ...one, fields: "items[entity_id],total_count" }));
    const found: Check[] = [
      checkOf(
        "Orders",
        true,
        total === null ? { reason: "shop_reached" } : { reason: "shop_orders", params: { count: total } },
      ),
    ];
    found.push(
      await checked("Filters", async () => {
        const dated = [[{ field: "updated_at", value: "2000-01-01 00:00:00", condition: "gteq" as const }]];
        await store.orders({ ...one, groups: dated, fields: "items[entity_id],total_count" });
        return "dates_can_be_asked";
      }),
      await checked("Shipments", async () => {
        await store.resource("shipments", { ...one, fields: "items[entity_id],total_count" });
        return "deliveries_from_shipments";
      }),
      await checked("Products", async () => {
        await store.resource("products", { ...one, fields: "items[id],total_count" });
        return "variants_joined";
      }),
    );
    return found;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error instanceof StoreFault && error.kind === "login") {
      login.refused = loginOf(integration);
      await keepLogin(clientId, login);
    }
    const name = error instanceof StoreFault && error.kind === "login" ? "Sign-in" : "Orders";
    return [checkOf(name, false, ...error.issues)];
  }
}

const without = {
  Filters: "orders_by_number",
  Shipments: "deliveries_from_order_day",
  Products: "families_left_to_feed",
} satisfies Record<string, Reason>;

async function checked(name: keyof typeof without, check: () => Promise<Reason>): Promise<Check> {
  try {
    return checkOf(name, true, { reason: await check() });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Orders come in without what the role may not read: it is told, and the connection is good.
    const isLasting = error instanceof StoreFault && (refusesRights(error) || isWronglySigned(error));
    return isLasting
      ? checkOf(name, true, { reason: without[name] }, ...error.issues)
      : checkOf(name, false, ...error.issues);
  }
}
