import { seconds } from "@/lib/http/seconds";
import type { Order } from "@/lib/orders/schema";
import type { OrderRow } from "./sql";

/** An order row as the API shows it. */
export const toOrder = (row: OrderRow): Order => ({
  id: row.id,
  store_name: row.store_name,
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
  customer: {
    id: row.customer_id,
    name: row.customer_name,
    email: row.customer_email,
    phone: row.customer_phone,
    lang: row.customer_lang,
    opt_out: row.opt_out,
    created_at: seconds(row.customer_created_at),
    updated_at: seconds(row.customer_updated_at),
  },
  items: row.items,
});
