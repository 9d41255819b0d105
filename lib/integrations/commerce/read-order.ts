import { z } from "zod";
import { storableText } from "@/lib/platform/storable-text";
import { readStoreTime } from "./search";

// Fields of an order that we use. The platform omits nulls and writes numbers as numbers or text, and extensions add
// fields everywhere, so parsing is lenient.

const number = z.preprocess((value) => {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : undefined;
}, z.number().optional());
const optionalText = z.preprocess(
  (value) => (typeof value === "number" ? String(value) : typeof value === "string" ? trimmedText(value) : undefined),
  z.string().optional(),
);
const storeTimestamp = z.preprocess((value) => readStoreTime(value) ?? undefined, z.date().optional());
const listOf = <S extends z.ZodType>(member: S) =>
  z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(member));

const StoreItem = z.object({
  item_id: number,
  parent_item_id: number,
  product_id: number,
  product_type: optionalText,
  sku: optionalText,
  name: optionalText,
  qty_ordered: number,
  qty_shipped: number,
  qty_canceled: number,
  qty_refunded: number,
});
export type StoreItem = z.output<typeof StoreItem>;

const person = z.object({ firstname: optionalText, lastname: optionalText, email: optionalText });

export const StoreOrder = z.object({
  entity_id: z.preprocess((value) => (typeof value === "string" ? Number(value) : value), z.int().positive()),
  increment_id: optionalText,
  state: optionalText,
  store_id: number,
  store_name: z.unknown().transform((value) => (typeof value === "string" ? value : undefined)),
  created_at: storeTimestamp,
  updated_at: storeTimestamp,
  base_grand_total: number,
  base_total_refunded: number,
  customer_id: number,
  customer_email: optionalText,
  customer_firstname: optionalText,
  customer_lastname: optionalText,
  items: listOf(StoreItem),
  billing_address: person.optional().catch(undefined),
});
export type StoreOrder = z.output<typeof StoreOrder>;

/** Requested order fields, to keep responses small. */
export const ORDER_FIELDS =
  "items[entity_id,increment_id,state,store_id,store_name,created_at,updated_at,base_grand_total,base_total_refunded,customer_id,customer_email,customer_firstname,customer_lastname,billing_address[firstname,lastname,email],items[item_id,parent_item_id,product_id,product_type,sku,name,qty_ordered,qty_shipped,qty_canceled,qty_refunded]],total_count";

const Shipment = z.object({
  entity_id: number,
  order_id: number,
  created_at: storeTimestamp,
  items: listOf(z.object({ order_item_id: number, qty: number })),
});
export type Shipment = z.output<typeof Shipment>;

export const SHIPMENT_FIELDS = "items[entity_id,order_id,created_at,items[order_item_id,qty]],total_count";

export const readShipment = (given: unknown): Shipment | null => Shipment.safeParse(given).data ?? null;

/** Storable text without surrounding whitespace; undefined if empty. */
function trimmedText(text: string): string | undefined {
  return storableText(text).trim() || undefined;
}
