import { seconds } from "@/lib/http/seconds";
import type { Order } from "@/lib/orders/schema";
import type { OrderRow } from "./sql";

/** An order row as the API shows it; without `people` it does not tell whose it is. */
export const toOrder = (row: OrderRow, { people }: { people: boolean }): Order => ({
  id: row.id,
  store_name: row.store_name,
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
  customer: {
    id: people ? row.customer_id : null,
    name: people ? row.customer_name : null,
    email: people ? row.customer_email : null,
    phone: people ? row.customer_phone : null,
    lang: row.customer_lang,
    opt_out: row.opt_out,
    created_at: seconds(row.customer_created_at),
    updated_at: seconds(row.customer_updated_at),
  },
  items: row.items,
});
