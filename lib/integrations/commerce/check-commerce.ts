import { buildCheck } from "@/lib/integrations/build-check";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";
import { AppError } from "@/lib/platform/errors";
import type { Reason } from "@/lib/platform/issue";
import { isSignatureInvalid, listOf } from "./read-pages";
import { loginHash, readLogin, saveLogin } from "./state";
import { isPermissionDenied, StoreError } from "./store-error";
import { createCommerceClient } from "./sync-commerce";

/**
 * Tests a client's commerce store: sign-in, access to orders, shipments and products, and support for our filters.
 * Missing optional permissions aren't failures. Doesn't retry rejected credentials.
 */
export async function checkCommerce(integration: IntegrationWithSecrets<"commerce">): Promise<Check[]> {
  const { clientId, settings } = integration;
  const login = readLogin(integration);
  if (settings.auth === "password" && login.refused === loginHash(integration))
    return [buildCheck("Sign-in", false, { reason: "shop_login_refused_before" })];
  try {
    const store = createCommerceClient(integration, login, { retryDelays: [], timeout: 15_000 });
    const one = { groups: [], sort: ["entity_id"], size: 1 };
    const { total } = listOf(await store.orders({ ...one, fields: "items[entity_id],total_count" }));
    const found: Check[] = [
      buildCheck(
        "Orders",
        true,
        total === null ? { reason: "shop_reached" } : { reason: "shop_orders", params: { count: total } },
      ),
    ];
    found.push(
      await runCheck("Filters", async () => {
        const dated = [[{ field: "updated_at", value: "2000-01-01 00:00:00", condition: "gteq" as const }]];
        await store.orders({ ...one, groups: dated, fields: "items[entity_id],total_count" });
        return "dates_can_be_asked";
      }),
      await runCheck("Shipments", async () => {
        await store.resource("shipments", { ...one, fields: "items[entity_id],total_count" });
        return "deliveries_from_shipments";
      }),
      await runCheck("Products", async () => {
        await store.resource("products", { ...one, fields: "items[id],total_count" });
        return "variants_joined";
      }),
    );
    return found;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error instanceof StoreError && error.kind === "login") {
      login.refused = loginHash(integration);
      await saveLogin(clientId, login);
    }
    const name = error instanceof StoreError && error.kind === "login" ? "Sign-in" : "Orders";
    return [buildCheck(name, false, ...error.issues)];
  }
}

const missingReasons = {
  Filters: "orders_by_number",
  Shipments: "deliveries_from_order_day",
  Products: "families_left_to_feed",
} satisfies Record<string, Reason>;

async function runCheck(name: keyof typeof missingReasons, check: () => Promise<Reason>): Promise<Check> {
  try {
    return buildCheck(name, true, { reason: await check() });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Orders can be imported without this resource, so the check passes and lists what is missing.
    const isPermanent = error instanceof StoreError && (isPermissionDenied(error) || isSignatureInvalid(error));
    return isPermanent
      ? buildCheck(name, true, { reason: missingReasons[name] }, ...error.issues)
      : buildCheck(name, false, ...error.issues);
  }
}
