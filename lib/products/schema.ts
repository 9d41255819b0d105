import { z } from "zod";
import { limit, timestamp } from "@/lib/http/fields";

/** A SKU of a client's catalogue. */
export const Product = z
  .object({
    id: z.string(),
    family_id: z.string(),
    brand: z.string().nullable(),
    name: z.string(),
    category: z.string().nullable(),
    url: z.string().nullable(),
    image_url: z.string().nullable(),
    mpn: z.string().nullable(),
    gtin14s: z.array(z.string()),
    tags: z.array(z.string()),
    match_status: z.enum(["matched", "unmatched", "pending"]).nullable(),
    deleted: z.boolean(),
    properties: z.record(z.string(), z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Product" });
export type Product = z.infer<typeof Product>;

export const ProductFilter = z.object({
  client_id: z.string().optional(),
  limit,
  after: z.string().optional(),
  family_id: z.string().optional(),
});
export type ProductFilter = z.output<typeof ProductFilter>;
