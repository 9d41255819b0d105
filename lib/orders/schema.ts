import { z } from "zod";
import { day, emailAddress, filledText, limit, moment, text, timestamp, webAddress } from "@/lib/http/fields";

/** The buyer, as the merchant knows them. `opt_out` is true whether an order or the person said so. */
export const OrderCustomer = z
  .object({
    id: z
      .string()
      .nullable()
      .meta({ description: "Null, like name, address and phone, for who may not see customers." }),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    lang: z.string().nullable(),
    opt_out: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "OrderCustomer" });

/** A SKU in an order, with the catalogue's details where the order gave none of its own. */
export const OrderItem = z
  .object({
    id: z.string(),
    family_id: z.string(),
    name: z.string().nullable(),
    category: z.string().nullable(),
    delivery_date: z.string().nullable().meta({ format: "date" }),
    url: z.string().nullable(),
    image_url: z.string().nullable(),
    properties: z.record(z.string(), z.unknown()),
    deleted: z.boolean().meta({ description: "The product is deleted in the catalogue now." }),
    reviewable: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "OrderItem" });

export const Order = z
  .object({
    id: z.string(),
    store_name: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    customer: OrderCustomer,
    items: z.array(OrderItem),
  })
  .meta({ id: "Order" });
export type Order = z.infer<typeof Order>;

/** Blank text is no text: exports of shops are full of it. */
const blankIsNull = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? null : value),
    schema.nullable().optional(),
  );

const ItemInput = z.object({
  id: filledText(255),
  delivery_date: blankIsNull(day),
  reviewable: z.boolean().nullable().optional(),
  family_id: blankIsNull(filledText(255)),
  name: blankIsNull(text(1_000)),
  category: blankIsNull(text(1_000)),
  url: blankIsNull(webAddress),
  image_url: blankIsNull(webAddress),
  properties: z.record(text(255), z.unknown()).nullable().optional(),
});
export type ItemInput = z.output<typeof ItemInput>;

/** An order as it is posted. Absent keys leave what is stored; null resets it; items are added or updated, never removed. */
export const OrderInput = z.object({
  order: z.object({
    id: filledText(255),
    store_name: blankIsNull(text(255)),
    customer: z.object({
      id: filledText(255),
      name: blankIsNull(text(255)),
      email: blankIsNull(emailAddress),
      phone: blankIsNull(text(64)),
      lang: blankIsNull(text(35)),
      opt_out: z.boolean().nullable().optional(),
    }),
    items: z.array(ItemInput).max(2_000).default([]),
  }),
});
export type OrderInput = z.output<typeof OrderInput>["order"];

export const OrderFilter = z.object({
  client_id: z.string().optional(),
  limit,
  after: z.string().optional(),
  created_after: moment.optional(),
  customer_id: z.string().optional(),
  customer_email: z.string().optional(),
});
export type OrderFilter = z.output<typeof OrderFilter>;

export const OrderId = z.object({ id: z.string() });
