import { z } from "zod";
import { clientId, cursor, limit, timestamp } from "@/lib/platform/http/fields";

/** A SKU of a client's catalogue. */
export const Product = z
  .object({
    id: z.string().meta({ description: "The SKU." }),
    family_id: z
      .string()
      .meta({ description: "Joins variants that share reviews; the SKU where the feed names none." }),
    brand: z.string().nullable().meta({ description: "The maker." }),
    name: z.string().meta({ description: "As customers know it." }),
    category: z.string().nullable().meta({ description: "As the feed writes it, such as `Lighting > Table lamps`." }),
    url: z.string().nullable().meta({ description: "The product's page." }),
    image_url: z.string().nullable().meta({ description: "Its picture." }),
    mpn: z.string().nullable().meta({ description: "The maker's part number." }),
    gtin14s: z.array(z.string()).meta({ description: "GTINs, padded to 14 digits." }),
    tags: z.array(z.string()).meta({ description: "Labels of the feed." }),
    match_status: z
      .enum(["matched", "unmatched", "pending"])
      .nullable()
      .meta({ description: "Whether the product was matched with external sources." }),
    deleted: z.boolean().meta({ description: "The product left the feed." }),
    properties: z.record(z.string(), z.string()).meta({ description: "Further columns of the feed." }),
    created_at: timestamp.meta({ description: "When a feed first named it." }),
    updated_at: timestamp.meta({ description: "When a feed last changed it." }),
  })
  .meta({ id: "Product" });
export type Product = z.infer<typeof Product>;

export const ProductFilter = z.object({
  client_id: clientId,
  limit,
  after: cursor,
  family_id: z.string().optional().meta({ description: "Products of this family only." }),
});
export type ProductFilter = z.output<typeof ProductFilter>;

/** A product as a line of the portal's catalogue, with its own accepted reviews. */
export type CatalogueLine = Pick<
  Product,
  "id" | "family_id" | "brand" | "name" | "category" | "image_url" | "deleted"
> & { count: number; average: number | null };
