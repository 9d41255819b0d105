import { z } from "zod";
import { clientId, cursor, limit, timestamp } from "@/lib/platform/http/fields";

/** A SKU of a client's catalog. */
export const Product = z
  .object({
    id: z.string().meta({ description: "SKU of the product." }),
    family_id: z
      .string()
      .meta({ description: "Product family: joins variants that share reviews. The SKU if the feed names none." }),
    brand: z.string().nullable().meta({ description: "Brand of the product." }),
    name: z.string().meta({ description: "Name of the product." }),
    category: z.string().nullable().meta({ description: "Category as in the feed, such as `Lighting > Table lamps`." }),
    url: z.string().nullable().meta({ description: "URL of the product page." }),
    image_url: z.string().nullable().meta({ description: "URL of the product image." }),
    mpn: z.string().nullable().meta({ description: "Manufacturer part number." }),
    gtin14s: z.array(z.string()).meta({ description: "GTINs, padded to 14 digits." }),
    tags: z.array(z.string()).meta({ description: "Labels from the feed." }),
    match_status: z
      .enum(["matched", "unmatched", "pending"])
      .nullable()
      .meta({ description: "Whether the product was matched with external sources." }),
    deleted: z.boolean().meta({ description: "Whether the product is no longer in the feed." }),
    properties: z.record(z.string(), z.string()).meta({ description: "Further columns of the feed." }),
    created_at: timestamp.meta({ description: "Time when a feed first contained the product." }),
    updated_at: timestamp.meta({ description: "Time when a feed last changed the product." }),
  })
  .meta({ id: "Product" });
export type Product = z.infer<typeof Product>;

export const ProductFilter = z.object({
  client_id: clientId,
  limit,
  after: cursor,
  family_id: z.string().optional().meta({ description: "Only products of this family." }),
});
export type ProductFilter = z.output<typeof ProductFilter>;

/** A product in the portal's catalog list, with the counters of its own accepted reviews. */
export type CatalogLine = Pick<
  Product,
  "id" | "family_id" | "brand" | "name" | "category" | "image_url" | "deleted"
> & { count: number; average: number | null };
