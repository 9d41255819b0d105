import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Product, ProductFilter } from "@/lib/catalog/products/schema";
import { pool } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";
import { env } from "@/lib/platform/env";
import { cutPage, decodeCursor, nextLink } from "@/lib/platform/http/cursor";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";

type ProductRow = Omit<Product, "created_at" | "updated_at"> & { created_at: Date; updated_at: Date };
type ProductPage = { data: Product[]; links: { next?: string } };

/** A page of the client's products by id, optionally of one family. Throws `invalid_cursor`. */
export async function listProducts(
  client: Pick<ClientRow, "id">,
  filter: ProductFilter,
  url: URL,
): Promise<ProductPage> {
  const cursor = filter.after === undefined ? null : decodeCursor(filter.after, "products", ["text"]);
  const text = `select id, family_id, brand, name, category, url, image_url, mpn, gtin14s, tags, match_status, deleted,
                       properties, created_at, updated_at
                  from products
                 where client_id = $1 and id > $2 ${filter.family_id === undefined ? "" : "and family_id = $4"}
                 order by id limit $3`;
  const values: unknown[] = [client.id, cursor?.key[0] ?? "", filter.limit + 1];
  if (filter.family_id !== undefined) values.push(filter.family_id);
  const { rows } = await pool().query<ProductRow>({ name: statementName(text), text, values });
  const { shown, last } = cutPage(rows, filter.limit);
  return {
    data: shown.map((row) => ({
      ...row,
      created_at: toIsoSeconds(row.created_at),
      updated_at: toIsoSeconds(row.updated_at),
    })),
    links: last
      ? { next: nextLink(env().PUBLIC_URL, url, { order: "products", key: [last.id], startedAt: null }) }
      : {},
  };
}
