import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { recentOrdersOf } from "@/lib/orders/list-portal-orders";
import { pool } from "@/lib/platform/db/pool";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { findRequestOf } from "@/lib/privacy/erasure-requests";
import type { Person } from "@/lib/privacy/person";
import type { PersonOverview } from "@/lib/privacy/schema";
import { viewPersonalData } from "@/lib/privacy/view-personal-data";
import { selectCustomers } from "./sql";

const MAX_ORDERS = 20;
/** Maximum customer ids per person; a shared address (such as a company's) may have thousands. */
export const MAX_CUSTOMERS = 1_000;

/** A person as the portal shows them: the API's view, the newest orders, and whether an erasure is in progress. */
export async function findPerson(client: Pick<ClientRow, "id">, person: Person): Promise<PersonOverview> {
  const [data, customers, erasure] = await Promise.all([
    viewPersonalData(client, person),
    selectCustomers(pool(), client.id, person, MAX_CUSTOMERS),
    findRequestOf(client.id, person),
  ]);
  const orders = customers.length > 0 ? await recentOrdersOf(client, customers, MAX_ORDERS + 1) : [];
  return {
    person: data,
    orders: orders.slice(0, MAX_ORDERS),
    more_orders: orders.length > MAX_ORDERS,
    removal: erasure && { since: toIsoSeconds(erasure.since), removed: erasure.removed as Record<string, number> },
  };
}
