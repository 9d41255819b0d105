import { z } from "zod";
import { clientId, cursor, limit, timestamp } from "@/lib/http/fields";

/** A SKU of a client's catalogue. */
export const Product = z
  .object({
    id: z.string().meta({ description: "The SKU." }),
    family_id: z
      .string()
      .meta({ description: "Joins variants that share reviews; the SKU where the feed names none." }),
    brand: z.string().nullable(),
    name: z.string(),
    category: z.string().nullable(),
    url: z.string().nullable(),
    image_url: z.string().nullable(),
    mpn: z.string().nullable(),
    gtin14s: z.array(z.string()).meta({ description: "GTINs, padded to 14 digits." }),
    tags: z.array(z.string()).meta({ description: "Labels of the feed." }),
    match_status: z
      .enum(["matched", "unmatched", "pending"])
      .nullable()
      .meta({ description: "Whether the product was matched with external sources." }),
    deleted: z.boolean().meta({ description: "The product left the feed." }),
    properties: z.record(z.string(), z.string()).meta({ description: "Further columns of the feed." }),
    created_at: timestamp,
    updated_at: timestamp,
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
