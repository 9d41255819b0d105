import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Product } from "@/lib/catalog/products/schema";
import { pool } from "@/lib/platform/db/pool";

type Found = Pick<Product, "id" | "name" | "url" | "image_url" | "brand" | "mpn" | "gtin14s">;

/**
 * Details of the product with this id, else of a product in this family (preferably an active one). Null if the catalog
 * has neither.
 */
export async function findSubject(
  client: Pick<ClientRow, "id">,
  { productId, familyId }: { productId: string | null; familyId: string | null },
): Promise<Found | null> {
  const { rows } = await pool().query<Found>({
    name: "find-subject",
    text: `select id, name, url, image_url, brand, mpn, gtin14s from products
            where client_id = $1 and (id = $2 or family_id = $3)
            order by id = $2 desc nulls last, deleted, id limit 1`,
    values: [client.id, productId, familyId],
  });
  return rows[0] ?? null;
}
