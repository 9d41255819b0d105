import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";

/** Number of newest reviews to search for products. */
const MAX_REVIEWS = 500;

/** Recently reviewed products, most reviewed first, for use as examples. */
export async function reviewedProducts(
  client: Pick<ClientRow, "id">,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await pool().query<{ id: string; name: string }>({
    name: "reviewed-products",
    text: `select p.id, p.name from (
             select product_id, count(*) as count from (
               select product_id, accepted from reviews where client_id = $1 order by created_at desc, id desc limit ${MAX_REVIEWS}) r
              where accepted and product_id is not null group by product_id order by count(*) desc, product_id limit $2) n
             join products p on p.client_id = $1 and p.id = n.product_id
            order by n.count desc, p.id`,
    values: [client.id, limit],
  });
  return rows;
}
