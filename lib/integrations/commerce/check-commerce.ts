import type { Opened } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";
import { AppError } from "@/lib/platform/errors";
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
    return [
      {
        name: "Log-in",
        ok: false,
        message:
          "The shop refused this user name and password before. Change them to try again, since the shop locks users after a few failures.",
      },
    ];
  try {
    const store = storeOf(integration, login, { waits: [], timeout: 15_000 });
    const one = { groups: [], sort: ["entity_id"], size: 1 };
    const { total } = listOf(await store.orders({ ...one, fields: "items[entity_id],total_count" }));
    const found: Check[] = [
      {
        name: "Orders",
        ok: true,
        message:
          total === null ? "The shop tells orders." : `The shop tells ${total} ${total === 1 ? "order" : "orders"}.`,
      },
    ];
    found.push(
      await checked("Filters", async () => {
        const dated = [[{ field: "updated_at", value: "2000-01-01 00:00:00", condition: "gteq" as const }]];
        await store.orders({ ...one, groups: dated, fields: "items[entity_id],total_count" });
        return "Orders can be asked for by the time of their last change.";
      }),
      await checked("Shipments", async () => {
        await store.resource("shipments", { ...one, fields: "items[entity_id],total_count" });
        return "Delivery dates follow from shipments.";
      }),
      await checked("Products", async () => {
        await store.resource("products", { ...one, fields: "items[id],total_count" });
        return "Variants are joined with their product.";
      }),
    );
    return found;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error instanceof StoreFault && error.kind === "login") {
      login.refused = loginOf(integration);
      await keepLogin(clientId, login);
    }
    const name = error instanceof StoreFault && error.kind === "login" ? "Log-in" : "Orders";
    return [{ name, ok: false, message: error.message }];
  }
}

const without: Record<string, string> = {
  Filters: "Orders are read by their number instead.",
  Shipments: "Delivery dates are reckoned from the day of the order, since shipments cannot be read.",
  Products: "The family of variants is left to the product feed, since products cannot be read.",
};

async function checked(name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, message: await check() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Orders come in without what the role may not read: it is told, and the connection is good.
    const isLasting = error instanceof StoreFault && (refusesRights(error) || isWronglySigned(error));
    return { name, ok: isLasting, message: `${isLasting ? `${without[name]} ` : ""}${error.message}` };
  }
}
